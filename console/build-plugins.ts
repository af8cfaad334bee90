import { createHash } from 'node:crypto';
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

const GLOBAL_STYLES = /@cloudscape-design\/global-styles\/index\.css$/;
const FACE = /@font-face\s*\{[^}]*\}/g;
const FONT = /url\(['"]?data:font\/woff2;base64,([A-Za-z0-9+/=]+)['"]?\)/;

/**
 * Cloudscape's styles contain eight fonts, of which a page uses two or three. As files, only those are loaded, and text
 * is readable before they are.
 */
export function separateFonts(): Plugin {
  return {
    name: 'lead-ingest:separate-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!GLOBAL_STYLES.test(id)) return undefined;
      let found = 0;
      const styles = code.replace(FACE, (face) => {
        const [whole, content] = FONT.exec(face) ?? [];
        if (whole === undefined || content === undefined) return face;
        found += 1;
        const source = Buffer.from(content, 'base64');
        const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
        const fileName = `assets/${nameOf(face)}-${hash}.woff2`;
        this.emitFile({ type: 'asset', fileName, source });
        return face.replace(whole, `url('/${fileName}')`).replace('{', '{ font-display: swap;');
      });
      if (found === 0)
        throw new Error('Cloudscape’s styles have no fonts: this plugin is not needed any more');
      return { code: styles, map: null };
    },
  };
}

function nameOf(face: string): string {
  const [, weight = ''] = /font-weight:\s*(\d+)/.exec(face) ?? [];
  return `open-sans-${weight}${/italic/.test(face) ? '-italic' : ''}`;
}
