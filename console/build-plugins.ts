import type { Plugin } from 'vite';

/** Components that the console doesn't use. They make up half of Cloudscape's messages. */
const UNUSED = [
  'annotation-context',
  'code-editor',
  'prompt-input',
  'property-filter',
  's3-resource-selector',
  'tag-editor',
  'tutorial-panel',
  'wizard',
];

const ALL_MESSAGES = /@cloudscape-design\/components\/i18n\/messages\/all\.en\.js$/;
const ASKS_FOR_UNUSED = new RegExp(`useInternalI18n\\(['"](${UNUSED.join('|')})['"]`);

type Messages = Record<string, Record<string, Record<string, Record<string, unknown>>>>;

/** Cloudscape bundles the messages of all components in one file. A build that needs a removed one fails. */
export function leaveOutMessages(): Plugin {
  return {
    name: 'lead-ingest:leave-out-messages',
    transform(code, id) {
      const [, component] = ASKS_FOR_UNUSED.exec(code) ?? [];
      if (component !== undefined) {
        throw new Error(`${id} uses the messages of ${component}: take it off the list of those left out`);
      }
      return ALL_MESSAGES.test(id) ? { code: withoutUnused(code), map: null } : undefined;
    },
  };
}

export function withoutUnused(code: string): string {
  const messages: Messages = JSON.parse(code.replace(/^export default /, ''));
  for (const components of Object.values(messages).flatMap((locales) => Object.values(locales))) {
    for (const name of UNUSED) delete components[name];
    const left = Object.values(components).flatMap((it) => Object.values(it));
    // vite.config.ts removes the parser.
    if (!left.every(Array.isArray)) throw new Error('Cloudscape has messages that are not parsed');
  }
  return `export default ${JSON.stringify(messages)}`;
}

/** Icons that neither the console nor the components it uses show: more than half of Cloudscape's. */
const UNUSED_ICONS = new Set(
  `anchor-link angle-left-double angle-right-double angle-up at-symbol audio-full audio-half audio-off backward-10-seconds
  bug caret-left-filled caret-right-filled caret-up closed-caption-unavailable closed-caption command-prompt contact
  convert-code delete-marker edit-gen-ai envelope exit-full-screen face-happy-filled face-happy face-neutral-filled
  face-neutral face-sad-filled face-sad file-open flag folder-open folder forward-10-seconds full-screen globe grid-view
  group-active heart-filled heart insert-row internal-link light-dark list-view location-pin microphone-off microphone
  mini-player multiscreen notification redo search-gen-ai share slash star-filled star-half star stop-circle
  subtract-minus suggestions-gen-ai suggestions support thumbs-down-filled thumbs-down thumbs-up-filled thumbs-up ticket
  transcript unlocked upload-download user-profile-active video-camera-off video-camera-on video-camera-unavailable
  video-off video-on video-unavailable view-full zoom-in zoom-out zoom-to-fit`.split(/\s+/),
);

const ALL_ICONS = /@cloudscape-design\/components\/icon\/generated\/icons\.js$/;
const ICON = /^ {4}"?([\w-]+)"?: React\.createElement\([\s\S]*?(?=^ {4}"?[\w-]+"?: React|^\};)/gm;
const NAMED = /['"]([a-z\d]+(?:-[a-z\d]+)*)['"]/g;

/** Cloudscape bundles all icons in one file. A build that names a removed one fails. */
export function leaveOutIcons(): Plugin {
  return {
    name: 'lead-ingest:leave-out-icons',
    transform(code, id) {
      if (ALL_ICONS.test(id)) return { code: withoutUnusedIcons(code), map: null };
      for (const [, name = ''] of MAY_SHOW_ICONS.test(id) ? code.matchAll(NAMED) : []) {
        if (UNUSED_ICONS.has(name))
          throw new Error(`${id} names the icon ${name}: take it off the list of those left out`);
      }
      return undefined;
    },
  };
}

const MAY_SHOW_ICONS = /\/console\/src\/|@cloudscape-design/;

export function withoutUnusedIcons(code: string): string {
  const left = new Set(UNUSED_ICONS);
  const kept = code.replace(ICON, (whole, name: string) => (left.delete(name) ? '' : whole));
  if (left.size > 0) throw new Error(`Cloudscape has no icons ${[...left].join(', ')}`);
  return kept;
}

const GLOBAL_STYLES = /@cloudscape-design\/global-styles\/index\.css$/;
const FACE = /@font-face\s*\{[^}]*\}/g;

/** Cloudscape's styles contain eight fonts. Without them, text has a font that the device has already. */
export function leaveOutFonts(): Plugin {
  return {
    name: 'lead-ingest:leave-out-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!GLOBAL_STYLES.test(id)) return undefined;
      const styles = code.replace(FACE, '');
      if (styles === code)
        throw new Error('Cloudscape’s styles have no fonts: this plugin is not needed any more');
      return { code: styles, map: null };
    },
  };
}
