import type { HttpRequest, HttpResponse, Send } from '../../conformance/world/http.ts';
import { fits, type Json, openDocument } from './openapi-document.ts';

const { parametersOf, operationsOf, ...opened } = openDocument('ingest');
export const { document: DOCUMENT, follow, faultsOf } = opened;

export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
  readonly parameters: readonly Json[];
}

export const OPERATIONS: readonly Operation[] = operationsOf((path, method, item) => ({
  path,
  method: method.toUpperCase(),
  operation: item[method] as Json,
  parameters: parametersOf(item, method),
}));

export function operationOf(request: HttpRequest): Operation {
  const found = findOperation(request);
  if (!found) throw new Error(`the document has no ${request.method} ${request.path}`);
  return found;
}

function findOperation({ method = 'POST', path }: HttpRequest): Operation | undefined {
  return OPERATIONS.find((each) => each.method === method && fits(each.path, path));
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
