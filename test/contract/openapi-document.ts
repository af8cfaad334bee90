import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readApiDocument } from '../api-documents.ts';

export type Json = Record<string, unknown>;

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** One of the documents in docs/api, with what its schemas say about values. */
export function openDocument(name: 'ingest' | 'settings') {
  const document = readApiDocument<Json & { paths: Record<string, Json> }>(name);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema(document, name);
  const validators = new Map<string, ValidateFunction>();

  /** Resolves a value that may be a reference; throws if the reference is broken. */
  function follow(value: unknown): Json {
    const ref = (value as Json).$ref;
    if (typeof ref !== 'string') return value as Json;
    let at: unknown = document;
    for (const key of ref.replace(/^#\//, '').split('/')) at = (at as Json | undefined)?.[key];
    if (at === undefined) throw new Error(`${ref} leads nowhere`);
    return at as Json;
  }

  /** What is wrong with a value according to a schema of the document; empty if nothing is. */
  function faultsOf(schema: unknown, value: unknown): string[] {
    // Inside the document, so that its references resolve.
    const absolute = JSON.stringify(schema).replaceAll('"#/', `"${name}#/`);
    const validate = validators.get(absolute) ?? ajv.compile(JSON.parse(absolute) as Json);
    validators.set(absolute, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Of the operation and of its path. */
  function parametersOf(item: Json, method: string): Json[] {
    const operation = item[method] as Json;
    return [...((item.parameters ?? []) as Json[]), ...((operation.parameters ?? []) as Json[])].map(follow);
  }

  /** What `toOperation` makes of each method of each path. */
  function operationsOf<Operation>(toOperation: (path: string, method: string, item: Json) => Operation) {
    return Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => toOperation(path, method, item)),
    );
  }

  return { document, follow, faultsOf, parametersOf, operationsOf };
}

/** Whether a path is one of those that a pattern such as `/forms/{formId}` stands for. */
export function fits(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
