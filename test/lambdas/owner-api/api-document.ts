import { fits, type Json, openDocument } from '../../contract/openapi-document.ts';

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
  /** Of the body of a request. */
  readonly example: unknown;
  /** What is wrong with a request according to the document; empty if it is valid. */
  requestFaults(request: { query: Readonly<Record<string, string>>; body: unknown }): string[];
  /** What is wrong with a response according to the document. */
  responseFaults(response: { statusCode: number; contentType: string | undefined; body: unknown }): string[];
  readonly statuses: readonly string[];
}

const { document, follow, faultsOf, parametersOf, operationsOf } = openDocument('settings');
export const DOCUMENT = document;

/** In a query everything is text: numbers and booleans have one spelling. */
function fromText(value: string, { type }: Json): unknown {
  if (type === 'integer' && /^\d{1,9}$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  return value;
}

export function toOperation(path: string, method: string, item: Json): Operation {
  const operation = item[method] as Json;
  const parameters = (parametersOf(item, method) as unknown as Parameter[]).filter(
    (each) => each.in === 'query',
  );
  const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, follow(schema)]));
  const query = { type: 'object', additionalProperties: false, properties: schemas };
  const requestBody = operation.requestBody as
    | { required?: boolean; content: Record<string, Json> }
    | undefined;
  const { schema: body, example } = requestBody?.content['application/json'] ?? {};
  const responses = operation.responses as Record<string, Json>;

  return {
    operationId: operation.operationId as string,
    path,
    method: method.toUpperCase(),
    tag: (operation.tags as string[])[0] as string,
    example,
    statuses: Object.keys(responses),

    requestFaults(request) {
      const typed = Object.entries(request.query).map(([name, value]) => [
        name,
        fromText(value, schemas[name] ?? {}),
      ]);
      const ofQuery = faultsOf(query, Object.fromEntries(typed));
      if (!body) return ofQuery;
      if (request.body === undefined)
        return requestBody?.required ? [...ofQuery, 'body is missing'] : ofQuery;
      return [...ofQuery, ...faultsOf(body, request.body)];
    },

    responseFaults({ statusCode, contentType, body: responded }) {
      const documented = responses[String(statusCode)];
      if (!documented) return [`status ${statusCode} is not documented`];
      const content = follow(documented).content as Record<string, Json> | undefined;
      if (!content) return responded === undefined ? [] : ['a body is not documented'];
      const media = content[contentType?.split(';')[0] ?? ''];
      if (!media) return [`content type ${contentType} is not documented`];
      return faultsOf(media.schema, responded);
    },
  };
}

export const OPERATIONS: readonly Operation[] = operationsOf(toOperation);

export function findOperation(method: string, path: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.method === method && fits(operation.path, path));
}
