import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import type { HttpRequest, HttpResponse, Send } from '../../conformance/world/http.ts';

export type Json = Record<string, unknown>;

const FILE = resolve(import.meta.dirname, '../../docs/api/ingest.openapi.yaml');
export const DOCUMENT = parse(readFileSync(FILE, 'utf8')) as Json & { paths: Record<string, Json> };

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (instance: Ajv2020) => void)(ajv);
ajv.addSchema(DOCUMENT, 'ingest');

/** Resolves a value that may be a reference; throws if the reference is broken. */
export function follow(value: unknown): Json {
  const ref = (value as Json).$ref;
  if (typeof ref !== 'string') return value as Json;
  let at: unknown = DOCUMENT;
  for (const key of ref.replace(/^#\//, '').split('/')) at = (at as Json | undefined)?.[key];
  if (at === undefined) throw new Error(`${ref} leads nowhere`);
  return at as Json;
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: unknown): ValidateFunction {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"ingest#/');
  const validate = validators.get(absolute) ?? ajv.compile(JSON.parse(absolute) as Json);
  validators.set(absolute, validate);
  return validate;
}

/** What is wrong with a value according to a schema of the document; empty if nothing is. */
export function faultsOf(schema: unknown, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
  readonly parameters: readonly Json[];
}

export const OPERATIONS: readonly Operation[] = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => {
    const operation = item[method] as Json;
    const listed = [...((item.parameters ?? []) as Json[]), ...((operation.parameters ?? []) as Json[])];
    return { path, method: method.toUpperCase(), operation, parameters: listed.map(follow) };
  }),
);

export function operationOf(request: HttpRequest): Operation {
  const found = findOperation(request);
  if (!found) throw new Error(`the document has no ${request.method} ${request.path}`);
  return found;
}

function findOperation({ method = 'POST', path }: HttpRequest): Operation | undefined {
  const fits = (pattern: string) => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return OPERATIONS.find((each) => each.method === method && fits(each.path));
}

/** What is wrong with a request according to the document, which cannot check credentials. */
export function requestFaults(request: HttpRequest): string[] {
  const { operation, parameters } = operationOf(request);
  const headers = new Map(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const ofHeaders = parameters
    .filter((each) => each.in === 'header')
    .flatMap((each) => {
      const value = headers.get(String(each.name).toLowerCase());
      if (value === undefined) return each.required ? [`${each.name} is missing`] : [];
      return faultsOf(each.schema, value).map((fault) => `${each.name}: ${fault}`);
    });
  const { content } = follow(operation.requestBody) as { content: Record<string, Json> };
  const media = content[String(headers.get('content-type')).toLowerCase().split(';')[0] ?? ''];
  if (!media) return [...ofHeaders, 'the content type is not documented'];
  return [...ofHeaders, ...faultsOf(media.schema, JSON.parse(String(request.body)))];
}

/** What is wrong with a response: status, content type, headers or body. */
export function responseFaults(request: HttpRequest, answer: HttpResponse): string[] {
  const responses = operationOf(request).operation.responses as Record<string, Json>;
  if (!responses[answer.status]) return [`status ${answer.status} is not documented`];
  const response = follow(responses[answer.status]);
  const ofHeaders = Object.entries((response.headers ?? {}) as Json).flatMap(([name, header]) =>
    faultsOf(follow(header).schema, answer.headers[name.toLowerCase()]).map((fault) => `${name}: ${fault}`),
  );
  const content = response.content as Record<string, Json> | undefined;
  if (!content) return answer.body === '' ? ofHeaders : [...ofHeaders, 'a body is not documented'];
  const media = content[answer.headers['content-type'] ?? ''];
  if (!media) return [...ofHeaders, `content type ${answer.headers['content-type']} is not documented`];
  return [...ofHeaders, ...faultsOf(media.schema, JSON.parse(answer.body))];
}

/** Sends, and adds what the document does not allow to `faults`: in every response, and in every accepted request. */
export function checkedByDocument(send: Send, faults: Set<string>): Send {
  return async (request) => {
    const answer = await send(request);
    const operation = findOperation(request);
    if (!operation) return answer;
    const found = responseFaults(request, answer);
    if (answer.status === 202) found.push(...requestFaults(request));
    for (const fault of found) faults.add(`${operation.method} ${operation.path}: ${fault}`);
    return answer;
  };
}
