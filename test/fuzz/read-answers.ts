import type { Kind } from './model.ts';

/** One answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';

/** Takes answers out of what comes over a connection, each as soon as it is whole. */
export function makeAnswerReader(methods: readonly (string | undefined)[]) {
  let pending = Buffer.alloc(0);
  const answers: WireAnswer[] = [];

  function takeOne(): boolean {
    const end = pending.indexOf(HEAD_END);
    if (end < 0) return false;
    const [statusLine = '', ...lines] = pending.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(statusLine) ?? [];
    const headers = new Map(lines.map(splitHeader));
    const start = end + HEAD_END.length;
    const interim = status === '100';
    const bodyless = interim || methods[answers.length] === 'HEAD';
    const length = bodyless ? 0 : Number(headers.get('content-length'));
    // What cannot be read is left where it is: the caller sees that bytes are over.
    if (status === undefined || headers.size !== lines.length || !Number.isInteger(length)) return false;
    if (pending.length < start + length) return false;
    const body = pending.toString('utf8', start, start + length);
    if (!interim) answers.push({ status: Number(status), headers, body });
    pending = pending.subarray(start + length);
    return true;
  }

  return {
    answers,
    push(chunk: Buffer): void {
      pending = Buffer.concat([pending, chunk]);
      while (takeOne());
    },
    /** What came and is no whole answer. */
    leftOver: () => pending.toString('latin1'),
  };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const ACCEPTED = new RegExp(`^\\{"submission_id":"(${UUID})"\\}$`);
const REJECTED = '{"status":"rejected"}';
const OVER_10_MB = 'HTTP content length exceeded 10485760 bytes.';

/** Whoever answers sets these, and a connection may say how long it lasts. */
const ALWAYS = ['content-length', 'content-type', 'date', 'x-amz-apigw-id', 'x-amzn-requestid'];
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive']);

/** Which of the allowed answers this is, to the letter; undefined if it is none of them. */
export function kindOf(answer: WireAnswer, method: string | undefined): Kind | undefined {
  const { status, headers } = answer;
  const names = [...headers.keys()].filter((name) => !OF_THE_CONNECTION.has(name)).sort();
  const fromGateway = headers.has('x-amzn-errortype');
  const wanted = fromGateway ? [...ALWAYS, 'x-amzn-errortype'].sort() : ALWAYS;
  if (names.join() !== wanted.join()) return undefined;
  const says = (type: string, body: (text: string) => boolean) =>
    headers.get('content-type') === type && (method === 'HEAD' ? answer.body === '' : body(answer.body));
  const json = 'application/json';
  if (fromGateway) {
    if (status === 200 && says(json, (text) => text === REJECTED)) return 'gateway';
    if (status === 413 && says('text/plain', (text) => text === OVER_10_MB)) return 'over 10 MB';
    return status === 415 && says(json, (text) => text.startsWith('{"message":')) ? 'bad coding' : undefined;
  }
  if (status === 202 && says(json, (text) => ACCEPTED.test(text))) return 'accepted';
  if (status === 200 && says(json, (text) => text === REJECTED)) return 'rejected';
  return status === 410 && says(json, (text) => text.startsWith('{"error":"gone"')) ? 'gone' : undefined;
}

export function submissionIdOf({ body }: WireAnswer): string | undefined {
  return ACCEPTED.exec(body)?.[1];
}
