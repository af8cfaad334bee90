import { connect } from 'node:net';
import type { Api, Kind } from './model.ts';
import type { Reading } from './read-as-server.ts';

/** The bytes of one connection, and how they are sent. */
export interface Delivery {
  readonly bytes: Buffer;
  /** To which address. Without it, to that of the ingest API. */
  readonly api?: Api;
  /** Where the bytes are split into separate writes. */
  readonly cuts?: readonly number[];
  /** The client disconnects after this many bytes and reads nothing. */
  readonly hangUpAfter?: number;
}

export interface Outcome {
  readonly responses: readonly WireResponse[];
  /** The server closed the connection. */
  readonly closed: boolean;
  /** The patience ran out. */
  readonly late: boolean;
  /** Received bytes that are not a response. */
  readonly leftOver: string;
  /** From the last byte sent to the last response. */
  readonly milliseconds: number;
}

/** Only a bound on hanging. The service promises five seconds, but the measured time depends on the machine. */
export const PATIENCE_MILLISECONDS = 30_000;

/** Sends bytes that may be HTTP, and reads every expected response. */
export async function exchange(
  url: URL,
  delivery: Delivery,
  reading: Reading,
  patienceMilliseconds = PATIENCE_MILLISECONDS,
): Promise<Outcome> {
  const { requests, rest } = reading;
  const due = requests.length + (rest === 'not HTTP' ? 1 : 0);
  const reader = makeResponseReader([...requests.map(({ method }) => method), reading.unfinishedMethod]);
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
  const over = Promise.withResolvers<{ closed: boolean; late: boolean }>();
  let sentAt = performance.now();
  let answeredAt = sentAt;
  let patience: NodeJS.Timeout | undefined;
  const waitOn = () => {
    clearTimeout(patience);
    patience = setTimeout(() => over.resolve({ closed: false, late: true }), patienceMilliseconds);
  };
  /** Waits for the end of a connection only where the server must close it. */
  const look = () => {
    if (reader.responses.length < due || rest === 'not HTTP') return;
    if (rest === 'unfinished') return void socket.end();
    over.resolve({ closed: false, late: false });
  };
  socket.on('data', (chunk) => {
    reader.push(chunk);
    answeredAt = performance.now();
    look();
  });
  // A server that closes while we still write causes an error event, then a close event.
  socket.on('error', () => undefined);
  socket.on('close', () => over.resolve({ closed: true, late: false }));
  waitOn();
  await Promise.race([send(socket, delivery), over.promise]);
  sentAt = performance.now();
  waitOn();
  if (delivery.hangUpAfter === undefined) look();
  else over.resolve({ closed: false, late: false });
  const end = await over.promise;
  clearTimeout(patience);
  // Leaves no port in TIME_WAIT.
  socket.resetAndDestroy();
  return {
    ...end,
    responses: reader.responses,
    leftOver: reader.leftOver(),
    milliseconds: Math.max(0, answeredAt - sentAt),
  };
}

async function send(socket: ReturnType<typeof connect>, delivery: Delivery): Promise<void> {
  const { bytes, cuts = [], hangUpAfter = bytes.length } = delivery;
  const ends = [...cuts.filter((cut) => cut > 0 && cut < hangUpAfter), hangUpAfter].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    const part = bytes.subarray(from, end);
    from = end;
    // The callback runs when the kernel has the bytes, or when the connection is lost.
    await new Promise<void>((resolve) => socket.write(part, () => resolve()));
  }
}

/** One response as received. */
export interface WireResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';

/** Parses responses from a connection, each as soon as it is complete. */
function makeResponseReader(methods: readonly (string | undefined)[]) {
  let pending = Buffer.alloc(0);
  const responses: WireResponse[] = [];

  function takeOne(): boolean {
    const end = pending.indexOf(HEAD_END);
    if (end < 0) return false;
    const [statusLine = '', ...lines] = pending.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(statusLine) ?? [];
    const headers = new Map(lines.map(splitHeader));
    const start = end + HEAD_END.length;
    const interim = status === '100';
    const bodyless = interim || status === '204' || methods[responses.length] === 'HEAD';
    const length = bodyless ? 0 : Number(headers.get('content-length'));
    // Leaves bytes that can't be parsed in the buffer: the caller sees them as left over.
    if (status === undefined || headers.size !== lines.length || !Number.isInteger(length)) return false;
    if (pending.length < start + length) return false;
    const body = pending.toString('utf8', start, start + length);
    if (!interim) responses.push({ status: Number(status), headers, body });
    pending = pending.subarray(start + length);
    return true;
  }

  return {
    responses,
    push(chunk: Buffer): void {
      pending = Buffer.concat([pending, chunk]);
      while (takeOne());
    },
    /** Received bytes that are not a complete response. */
    leftOver: () => pending.toString('latin1'),
  };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const ACCEPTED = new RegExp(`^\\{"submission_id":"(${UUID})"\\}$`);
const IGNORED = '{"status":"ignored"}';
export const REJECTED = '{"status":"rejected"}';
const OVER_10_MB = 'HTTP content length exceeded 10485760 bytes.';

/** On every response. A connection may also say how long it lasts. */
const ALWAYS = ['content-length', 'content-type', 'date', 'x-amz-apigw-id', 'x-amzn-requestid'];
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive']);

/** Which allowed response this is, byte for byte; undefined if none. */
export function kindOf(response: WireResponse, method: string | undefined): Kind | undefined {
  const { status, headers } = response;
  const names = [...headers.keys()].filter((name) => !OF_THE_CONNECTION.has(name)).sort();
  if (headers.get('access-control-allow-origin') === '*') return kindForPages(response, names);
  if (status === 403) return names.join() === 'content-length,content-type,date' ? 'other host' : undefined;
  const fromGateway = headers.has('x-amzn-errortype');
  const wanted = fromGateway ? [...ALWAYS, 'x-amzn-errortype'].sort() : ALWAYS;
  if (names.join() !== wanted.join()) return undefined;
  const says = (type: string, body: (text: string) => boolean) =>
    headers.get('content-type') === type && (method === 'HEAD' ? response.body === '' : body(response.body));
  const json = 'application/json';
  if (fromGateway) {
    if (status === 200 && says(json, (text) => text === REJECTED)) return 'gateway';
    if (status === 503 && says(json, (text) => text === REJECTED)) return 'source gateway';
    if (status === 413 && says('text/plain', (text) => text === OVER_10_MB)) return 'over 10 MB';
    return status === 415 && says(json, (text) => text.startsWith('{"message":')) ? 'bad coding' : undefined;
  }
  if (status === 202 && says(json, (text) => ACCEPTED.test(text))) return 'accepted';
  if (status === 200 && says(json, (text) => text === REJECTED)) return 'rejected';
  if (status === 200 && says(json, (text) => ACCEPTED.test(text))) return 'source accepted';
  if (status === 200 && says(json, (text) => text === IGNORED)) return 'ignored';
  if (status === 503 && says(json, (text) => text === REJECTED)) return 'source rejected';
  return status === 410 && says(json, (text) => text.startsWith('{"error":"gone"')) ? 'gone' : undefined;
}

const FOR_PAGES = new Set([
  ...ALWAYS,
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
  'cache-control',
]);
const MINTED = /^\{"token":"ingt_brw_[\w-]+","expires_in":120\}$/;

function kindForPages({ status, body }: WireResponse, names: readonly string[]): Kind | undefined {
  if (names.some((name) => !FOR_PAGES.has(name))) return undefined;
  if (status === 204) return body === '' ? 'preflight' : undefined;
  if (status !== 200) return undefined;
  return body === REJECTED ? 'rejected page' : MINTED.test(body) ? 'minted' : undefined;
}

export function submissionIdOf({ body }: Pick<WireResponse, 'body'>): string | undefined {
  return ACCEPTED.exec(body)?.[1];
}
