import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { leaveOutMessages, withoutUnused } from '../../console/leave-out-messages.ts';

const FILE = fileURLToPath(
  new URL('../../node_modules/@cloudscape-design/components/i18n/messages/all.en.js', import.meta.url),
);
const ALL = readFileSync(FILE, 'utf8');

const transform = leaveOutMessages().transform as (code: string, id: string) => unknown;
const module = (components: object) =>
  `export default ${JSON.stringify({ 'cloudscape-design-components': { en: components } })}`;

test('what is left are the messages of the components that the console has', () => {
  const left = withoutUnused(ALL);
  expect(left.length).toBeLessThan(ALL.length * 0.6);
  expect(left).toContain('"table":{');
  expect(left).not.toContain('"property-filter":{');
  expect(transform(ALL, FILE)).toEqual({ code: left, map: null });
});

test('a module that needs what is left out fails the build', () => {
  const code = "const i18n = useInternalI18n('wizard');";
  expect(() => transform(code, '/components/wizard/index.js')).toThrow('uses the messages of wizard');
  expect(transform("useInternalI18n('table')", '/components/table/index.js')).toBeUndefined();
});

test('so does a message that needs the parser, which is left out too', () => {
  const parsed = module({ table: { label: [{ type: 0, value: 'A table' }] } });
  expect(withoutUnused(parsed)).toBe(parsed);
  expect(() => withoutUnused(module({ table: { label: 'A table' } }))).toThrow('not parsed');
});
