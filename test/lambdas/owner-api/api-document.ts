import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';

type Json = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Json;
}

export interface Operation {
  readonly operationId: string;
  readonly path: string;
  readonly method: string;
  readonly tag: string;
  /** What is wrong with a request according to the document; empty if it is valid. */
  requestFaults(request: { query: Readonly<Record<string, string>>; body: unknown }): string[];
  /** What is wrong with a response according to the document. */
  responseFaults(response: { statusCode: number; contentType: string | undefined; body: unknown }): string[];
  readonly statuses: readonly string[];
}

const FILE = resolve(import.meta.dirname, '../../../docs/api/settings.openapi.yaml');
export const DOCUMENT = parse(readFileSync(FILE, 'utf8')) as Json & { paths: Record<string, Json> };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addSchema(DOCUMENT, 'settings');

function follow(value: unknown): Json {
  const ref = (value as Json).$ref;
  if (typeof ref !== 'string') return value as Json;
  return ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key] as Json, DOCUMENT as Json);
}

/** Inside the document, so that its references resolve. */
function validatorOf(schema: Json): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"settings#/')) as Json);
}

function faultsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** In a query everything is text: numbers and booleans have one spelling. */
function fromText(value: string, { type }: Json): unknown {
  if (type === 'integer' && /^\d{1,9}$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

export function toOperation(path: string, method: string, item: Json): Operation {
  const operation = item[method] as Json;
  const parameters = [...((item.parameters ?? []) as Json[]), ...((operation.parameters ?? []) as Json[])]
    .map((each) => follow(each) as unknown as Parameter)
    .filter((each) => each.in === 'query');
  const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, follow(schema)]));
  const query = validatorOf({ type: 'object', additionalProperties: false, properties: schemas });
  const requestBody = operation.requestBody as
    | { required?: boolean; content: Record<string, Json> }
    | undefined;
  const body = requestBody && validatorOf(requestBody.content['application/json']?.schema as Json);
  const responses = operation.responses as Record<string, Json>;

  return {
    operationId: operation.operationId as string,
    path,
    method: method.toUpperCase(),
    tag: (operation.tags as string[])[0] as string,
    statuses: Object.keys(responses),

    requestFaults(request) {
      const typed = Object.entries(request.query).map(([name, value]) => [
        name,
        fromText(value, schemas[name] ?? {}),
      ]);
      const ofQuery = faultsOf(query, Object.fromEntries(typed));
      if (!body) return ofQuery;
      if (request.body === undefined) return requestBody.required ? [...ofQuery, 'body is missing'] : ofQuery;
      return [...ofQuery, ...faultsOf(body, request.body)];
    },

    responseFaults({ statusCode, contentType, body: responded }) {
      const documented = responses[String(statusCode)];
      if (!documented) return [`status ${statusCode} is not documented`];
      const content = follow(documented).content as Record<string, Json> | undefined;
      if (!content) return responded === undefined ? [] : ['a body is not documented'];
      const media = content[contentType?.split(';')[0] ?? ''];
      if (!media) return [`content type ${contentType} is not documented`];
      return faultsOf(validatorOf(media.schema as Json), responded);
    },
  };
}

export const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => toOperation(path, method, item)),
);

export function findOperation(method: string, path: string): Operation | undefined {
  const fits = (pattern: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return OPERATIONS.find((operation) => operation.method === method && fits(operation.path));
}
