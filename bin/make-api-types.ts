import { readFileSync, writeFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { parse } from 'yaml';

const DOCUMENT = new URL('../docs/api/settings.openapi.yaml', import.meta.url);
const TYPES = new URL('../console/src/api/schema.ts', import.meta.url);

const BANNER =
  '// Made from docs/api/settings.openapi.yaml by `npm run make:api-types`. Change the document instead.';

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
  readonly components: { readonly schemas: Readonly<Record<string, JSONSchema>> };
}

/** The schemas of the document as types, and what each operation takes and returns. */
export async function apiTypes(): Promise<string> {
  const { paths, components } = parse(readFileSync(DOCUMENT, 'utf8')) as ApiDocument;
  const operations = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter((each): each is Operation => Object.hasOwn(Object(each), 'operationId'));
  const schema = {
    ...objectOf(Object.fromEntries(operations.map((each) => [each.operationId, exchangeOf(each)]))),
    definitions: components.schemas,
  };
  const inside = JSON.parse(
    // A JSON schema has its parts in another place than an OpenAPI document.
    JSON.stringify(schema, withoutRemarks).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as JSONSchema;
  const types = await compile(inside, 'Operations', {
    bannerComment: BANNER,
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
if (import.meta.main) writeFileSync(TYPES, await apiTypes());
