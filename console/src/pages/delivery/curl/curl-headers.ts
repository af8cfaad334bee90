import { toText } from './bytes.ts';
import type { CurlBody } from './curl-body.ts';
import type { CurlArgument } from './curl-options.ts';
import { unknownIn } from './unknown-in.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** What a command says about the headers that matter here. */
export function readCurlHeaders(given: readonly CurlArgument[]) {
  const headers = given.filter(({ name }) => name === 'header').map(({ value }) => value);
  const sent = headers.flatMap((word) => {
    const header = readHeader(toText(word.bytes));
    return header ? [{ ...header, unknown: word.unknown }] : [];
  });
  const called = (name: string) => sent.filter((each) => each.name === name);
  const timestamps = called('x-svc-timestamp');
  const signatures = called('x-svc-signature');
  return {
    timestamp: timestamps.at(-1)?.value,
    signature: signatures.at(-1)?.value,
    unreadable: [
      ...unknownIn(
        'X-SVC-Timestamp',
        timestamps.flatMap(({ unknown }) => unknown),
      ),
      ...unknownIn(
        'X-SVC-Signature',
        signatures.flatMap(({ unknown }) => unknown),
      ),
      ...headers
        .filter(({ bytes }) => bytes.startsWith('@'))
        .map(
          ({ bytes }) =>
            `Headers come from the file ${toText(bytes.slice(1))}, which cannot be read from here.`,
        ),
    ],
    refused: (body: Pick<CurlBody, 'bytes' | 'isJson'>) => [
      ...(timestamps.length > 1 ? ['X-SVC-Timestamp is sent more than once.'] : []),
      ...(signatures.length > 1 ? ['X-SVC-Signature is sent more than once.'] : []),
      ...typeRefusal(
        called('content-type').map(({ value }) => value),
        body,
      ),
      ...called('content-encoding')
        .filter(({ value }) => !/^(?:identity)?$/i.test(value))
        .map(
          ({ value }) => `The body is sent as Content-Encoding: ${value}. It has to be sent uncompressed.`,
        ),
    ],
  };
}

/** `Name: value`, or `Name;` for one without a value. `Name:` takes away what curl would have sent by itself. */
function readHeader(text: string): { readonly name: string; readonly value: string } | undefined {
  const [, name = '', mark, value = ''] = /^([^:;]+)([:;])(.*)$/s.exec(text) ?? [];
  const trimmed = value.replace(/^[ \t]+|[ \t]+$/g, '');
  if (mark === undefined || (mark === ':') === (trimmed === '')) return undefined;
  return { name: name.trim().toLowerCase(), value: trimmed };
}

function typeRefusal(
  types: readonly string[],
  { bytes, isJson }: Pick<CurlBody, 'bytes' | 'isJson'>,
): string[] {
  if (types.length > 1) return ['Content-Type is sent more than once.'];
  const [type] = types;
  if (type !== undefined)
    return JSON_TYPE.test(type) ? [] : [`Content-Type is ${type}. The service takes application/json only.`];
  if (bytes === undefined || isJson) return [];
  return [
    "Without a Content-Type of its own curl sends the body as a form's. Add --header 'Content-Type: application/json'.",
  ];
}
