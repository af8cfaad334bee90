import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { apiTypes } from '../../bin/make-api-types.ts';
import { broken, promised, readDocument, statementsOf } from './api-promises.ts';

test('the types of the console and of the client are those of the documents: `npm run make:api-types`', async () => {
  const made = Object.entries(await apiTypes());
  expect(made.map(([file]) => file)).toEqual(['console/src/api/schema.ts', 'packages/client/src/api.ts']);
  for (const [file, content] of made) expect(readFileSync(file, 'utf8')).toBe(content);
});

const statements = statementsOf(readDocument());

test('no change of the document breaks existing clients', () => {
  expect(broken(promised(), statements)).toEqual([]);
});

test('what is new in the document is promised from now on: `npm run make:api-promises`', () => {
  expect(statements).toEqual(promised());
});

// biome-ignore lint/suspicious/noExplicitAny: a document as it was parsed.
type Document = any;

describe('clients break if', () => {
  test.each<[what: string, change: (document: Document) => void, said: string]>([
    [
      'an operation ends',
      ({ paths }) => delete paths['/settings/stats'].get,
      'no longer: getStats is GET /settings/stats',
    ],
    [
      'a path changes',
      ({ paths }) => {
        paths['/settings/statistics'] = paths['/settings/stats'];
        delete paths['/settings/stats'];
      },
      'no longer: getStats is GET /settings/stats',
    ],
    [
      'a key needs one more scope',
      ({ paths }) => paths['/settings/stats'].get.security[1].apiKey.push('leads:read'),
      'no longer: getStats is open to apiKey stats:read',
    ],
    [
      'a response loses a property',
      ({ components }) => delete components.schemas.Form.properties.slug,
      'no longer: Form.slug returns string',
    ],
    [
      'a property of a response may be missing',
      ({ components }) => components.schemas.Form.required.splice(0, 1),
      'no longer: Form.formId is always there',
    ],
    [
      'a property of a response has another type',
      ({ components }) => {
        components.schemas.Form.properties.slug.type = ['string', 'null'];
      },
      'no longer: Form.slug returns string',
    ],
    [
      'a request needs something more',
      ({ components }) => components.schemas.NewToken.required.push('name'),
      'newly: NewToken.name must be given',
    ],
    [
      'a request no longer takes a value',
      ({ components }) => components.schemas.DestinationKind.enum.splice(0, 1),
      'no longer: DestinationKind takes "webhook"',
    ],
    [
      'a success has another status',
      ({ paths }) => {
        const { responses } = paths['/settings/tokens'].post;
        responses['200'] = responses['201'];
        delete responses['201'];
      },
      'no longer: createToken responds 201 application/json',
    ],
  ])('%s', (_what, change, said) => {
    const document = structuredClone(readDocument());
    change(document);
    expect(broken(promised(), statementsOf(document))).toContain(said);
  });

  test('not if an operation, a property or a value is added, with demands of their own', () => {
    const document: Document = structuredClone(readDocument());
    const { paths, components } = document;
    paths['/settings/new'] = {
      post: {
        ...paths['/settings/tokens'].post,
        operationId: 'createNew',
        requestBody: { required: true, content: {} },
      },
    };
    paths['/settings/new'].post.requestBody.content = {
      'application/json': { schema: { $ref: '#/components/schemas/New' } },
    };
    components.schemas.New = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
    components.schemas.NewToken.properties.color = { type: 'string', enum: ['red'] };
    components.schemas.DestinationKind.enum.push('fax');
    components.schemas.Form.properties.color = { type: 'string' };
    const next = statementsOf(document);
    expect(next.length).toBeGreaterThan(statements.length + 5);
    expect(broken(promised(), next)).toEqual([]);
  });
});
