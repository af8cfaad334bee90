import { readFileSync, writeFileSync } from 'node:fs';
import { readApiDocument } from '../api-documents.ts';

type Json = Readonly<Record<string, unknown>>;

const PROMISES = new URL('api-promises.txt', import.meta.url);

export const readDocument = () => readApiDocument<Json>('settings');

/** What clients of the settings API have been told so far. */
export const promised = () => readFileSync(PROMISES, 'utf8').split('\n').filter(Boolean);

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const DEMAND = ' must ';

/**
 * What the document tells clients, a line for each statement. Clients rely on all of them, so none may end. Those with
 * `must` are what clients have to do: of these, none may be added to what exists.
 */
export function statementsOf(document: Json): string[] {
  const { schemas, parameters } = document.components as Record<
    'schemas' | 'parameters',
    Record<string, Json>
  >;
  const lines = new Set<string>();
  const seen = new Set<string>();

  function describe(at: string, schema: Json, direction: 'takes' | 'returns'): void {
    const name = refName(schema, 'schemas');
    if (name !== undefined) {
      lines.add(`${at} ${direction} ${name}`);
      if (!seen.has(`${direction} ${name}`)) {
        seen.add(`${direction} ${name}`);
        describe(name, schemas[name] as Json, direction);
      }
      return;
    }
    describeValues(at, schema, direction);
    const { properties = {}, required = [], items, oneOf = [], additionalProperties: others } = schema;
    for (const [property, inner] of Object.entries(properties as Record<string, Json>)) {
      describe(`${at}.${property}`, inner, direction);
      if (!(required as string[]).includes(property)) continue;
      lines.add(
        direction === 'takes' ? `${at}.${property}${DEMAND}be given` : `${at}.${property} is always there`,
      );
    }
    if (items) describe(`${at}[]`, items as Json, direction);
    if (Object(others) === others) describe(`${at}.*`, others as Json, direction);
    // Alternatives of a value. Beside properties, they only say which of these exclude each other.
    if (schema.properties === undefined) for (const each of oneOf as Json[]) describe(at, each, direction);
  }

  function describeValues(at: string, { type, enum: values, const: value }: Json, direction: string): void {
    const types = [type ?? []].flat() as string[];
    // A client that reads a value is ready for one of these types, and one that sends it may use any of them.
    if (direction === 'returns' && types.length > 0) lines.add(`${at} returns ${types.sort().join(' or ')}`);
    if (direction !== 'takes') return;
    for (const each of types) lines.add(`${at} takes ${each}`);
    for (const each of [values ?? [], value ?? []].flat()) lines.add(`${at} takes ${JSON.stringify(each)}`);
  }

  for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
    for (const method of METHODS.filter((each) => each in item)) {
      const operation = item[method] as Json;
      const id = operation.operationId as string;
      lines.add(`${id} is ${method.toUpperCase()} ${path}`);
      for (const way of operation.security as Record<string, string[]>[]) {
        for (const [scheme, scopes] of Object.entries(way))
          lines.add(`${id} is open to ${[scheme, ...scopes].join(' ')}`);
      }
      for (const given of [item.parameters ?? [], operation.parameters ?? []].flat() as Json[]) {
        const parameter = parameters[refName(given, 'parameters') ?? ''] ?? given;
        if (parameter.in !== 'query') continue;
        describe(`${id}?${parameter.name}`, parameter.schema as Json, 'takes');
        if (parameter.required) lines.add(`${id}?${parameter.name}${DEMAND}be given`);
      }
      const body = operation.requestBody as { required?: boolean; content: Record<string, Json> } | undefined;
      if (body) describe(`${id} body`, body.content['application/json']?.schema as Json, 'takes');
      if (body?.required) lines.add(`${id} body${DEMAND}be given`);
      for (const [status, response] of Object.entries(operation.responses as Record<string, Json>)) {
        if (!status.startsWith('2')) continue;
        const contents = Object.entries((response.content ?? {}) as Record<string, Json>);
        lines.add(`${id} responds ${[status, ...contents.map(([type]) => type)].join(' ')}`);
        for (const [, { schema }] of contents) describe(`${id} ${status}`, schema as Json, 'returns');
      }
    }
  }
  return [...lines].sort();
}

function refName(value: Json, kind: string): string | undefined {
  return typeof value.$ref === 'string' ? value.$ref.slice(`#/components/${kind}/`.length) : undefined;
}

/** What breaks clients that rely on the promises. */
export function broken(promises: readonly string[], statements: readonly string[]): string[] {
  const kept = new Set(statements);
  const known = new Set(promises);
  const subjects = new Set(promises.map(subjectOf));
  return [
    ...promises
      .filter((each) => !each.includes(DEMAND) && !kept.has(each))
      .map((each) => `no longer: ${each}`),
    ...statements
      .filter((each) => each.includes(DEMAND) && !known.has(each) && subjects.has(subjectOf(each)))
      .map((each) => `newly: ${each}`),
  ];
}

/** The operation or schema that a statement is about. */
const subjectOf = (statement: string) => /^\w+/.exec(statement)?.[0] ?? '';

/** `npm run make:api-promises`: adds what is new in the document. What would break clients has to be removed by hand. */
if (import.meta.main) {
  const statements = statementsOf(readDocument());
  const wrong = broken(promised(), statements);
  if (wrong.length > 0) throw new Error(`These changes break existing clients:\n${wrong.join('\n')}`);
  writeFileSync(PROMISES, `${statements.join('\n')}\n`);
}
