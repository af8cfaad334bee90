import { readFileSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { parse } from 'yaml';

const FOLDER = new URL('../', import.meta.url);
const SETTINGS = 'docs/api/settings.openapi.yaml';
const INGEST = 'docs/api/ingest.openapi.yaml';

/** What the client sends with. */
const CLIENT_OPERATIONS = ['ingestFromServer', 'ingestFromWebhook', 'ingestFromTool'];

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JSONSchema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly schemas: Readonly<Record<string, JSONSchema>>;
  };
}

/** The files that `npm run make:api-types` writes, each with its content. */
export async function apiTypes(): Promise<Readonly<Record<string, string>>> {
  return {
    'console/src/api/schema.ts': await settingsTypes(),
    'packages/client/src/api.ts': await clientTypes(),
  };
}

/** The schemas of the document as types, and what each operation takes and returns. */
async function settingsTypes(): Promise<string> {
  const document = readDocument(SETTINGS);
  const exchanges = operationsOf(document).map((each) => [each.operationId, exchangeOf(each)]);
  return typesOf(SETTINGS, Object.fromEntries(exchanges), document.components.schemas);
}

/** What a sender sends, and every response by its status: a success has another one per surface. */
async function clientTypes(): Promise<string> {
  const document = readDocument(INGEST);
  const named = <Named>(given: Named): Named => {
    const [, , kind = '', name = ''] = (given as { $ref?: string }).$ref?.split('/') ?? [];
    return (document.components[kind]?.[name] as Named | undefined) ?? given;
  };
  const exchanges = operationsOf(document)
    .filter(({ operationId }) => CLIENT_OPERATIONS.includes(operationId))
    .map(({ operationId, requestBody = {}, responses }) => {
      const byStatus = Object.entries(responses).map(([status, each]) => [status, jsonOf(named(each))]);
      const request = jsonOf(named(requestBody));
      return [operationId, objectOf({ request, responses: objectOf(Object.fromEntries(byStatus)) })];
    });
  const used = new Set(JSON.stringify(exchanges).match(/(?<=#\/components\/schemas\/)\w+/g));
  const schemas = Object.entries(document.components.schemas).filter(([name]) => used.has(name));
  return typesOf(INGEST, Object.fromEntries(exchanges), Object.fromEntries(schemas));
}

const readDocument = (file: string) => parse(readFileSync(new URL(file, FOLDER), 'utf8')) as ApiDocument;

const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter((each): each is Operation => Object.hasOwn(Object(each), 'operationId'));

async function typesOf(
  file: string,
  operations: Readonly<Record<string, JSONSchema>>,
  definitions: ApiDocument['components']['schemas'],
): Promise<string> {
  const schema = { ...objectOf(operations), definitions };
  const inside = JSON.parse(
    // A JSON schema has its parts in another place than an OpenAPI document.
    JSON.stringify(schema, withoutRemarks).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as JSONSchema;
  const types = await compile(inside, 'Operations', {
    bannerComment: `// Made from ${file} by \`npm run make:api-types\`. Change the document instead.`,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 110, singleQuote: true },
  });
  return types.replace(/^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '');
}

/** Leaves out what no type can say: descriptions, and which properties exclude each other. */
function withoutRemarks(key: string, value: unknown): unknown {
  if (key === 'description' && typeof value === 'string') return undefined;
  const { oneOf, ...rest } = Object(value) as JSONSchema;
  return oneOf && rest.properties ? rest : value;
}

const objectOf = (properties: Readonly<Record<string, JSONSchema>>, required = Object.keys(properties)) => ({
  type: 'object' as const,
  additionalProperties: false,
  properties,
  required,
});

function exchangeOf({ requestBody, responses }: Operation): JSONSchema {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return objectOf({
    request: requestBody ? jsonOf(requestBody) : { tsType: 'undefined' },
    response: success ? jsonOf(success) : { tsType: 'undefined' },
  });
}

/** Files are text, and a response without content has no value. */
function jsonOf({ content }: Content): JSONSchema {
  const { schema } = content?.['application/json'] ?? {};
  return schema ?? { tsType: content ? 'string' : 'undefined' };
}

/** `npm run make:api-types` */
if (import.meta.main) {
  for (const [file, content] of Object.entries(await apiTypes()))
    writeFileSync(new URL(file, FOLDER), content);
}
