import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { lint, loadConfig } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parse } from 'yaml';

/** Keys without a value. A comma in unquoted text inside `{ … }` makes one of the rest of the sentence. */
function emptyKeys(value: unknown, path: string): string[] {
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value as object).flatMap(([key, inner]) => emptyKeys(inner, `${path}/${key}`));
}

test('a sentence that was split at its comma is found', () => {
  const document = parse(
    'a: [{ name: x, description: This, and that. }, { name: y, description: "This, and that." }]',
  );
  expect(emptyKeys(document, '')).toEqual(['/a/0/and that.']);
});

describe.each(['ingest', 'settings'])('the document of the %s API', (name) => {
  const file = `docs/api/${name}.openapi.yaml`;
  const document = parse(readFileSync(file, 'utf8'));

  test('splits no sentence into keys', () => {
    expect(emptyKeys(document, '')).toEqual([]);
  });

  test('is valid by the JSON schema of OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(document);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('passes the recommended rules of Redocly', async () => {
    const config = (await loadConfig({ configPath: 'redocly.yaml' })).forAlias(name);
    const problems = await lint({ ref: file, config });
    expect(
      problems.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`),
    ).toEqual([]);
  });
});
