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
