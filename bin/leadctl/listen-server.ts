import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure, UsageFailure } from '../operator/failure.ts';
import { printable } from '../operator/terminal.ts';

export interface ListenerOptions {
  readonly key: Buffer;
  readonly now: () => number;
  /** @param text the body as it was sent. */
  readonly onMessage: (message: ReceivedMessage, text: string) => void;
  readonly onRefusal: (reason: string) => void;
}

/** More than any message: a lead's body has at most 10 MB. */
const MAX_BODY_LENGTH = 16 * 1024 * 1024;

/** Receives messages as an owner's system would: 204 for a genuine one, 401 with the reason for all others. */
export function makeListener({ key, now, onMessage, onRefusal }: ListenerOptions): Server {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const respond = (status: number, text?: string) => {
      if (text !== undefined) onRefusal(text);
      response.writeHead(status, text === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' });
      response.end(text === undefined ? undefined : `${text}\n`);
    };
    if (request.method !== 'POST') return respond(405, `Messages are sent by POST, not ${request.method}.`);
    const body = await bodyOf(request);
    if (body === undefined) return respond(413, 'The body is longer than that of any message.');
    const problem = problemOf(request.headers, body, key, now());
    if (problem !== undefined) return respond(401, problem);
    const text = body.toString('utf8');
    const parsed = parseMessageBody(text);
    if (!parsed) return respond(400, 'The signature matches, but the body is not a JSON object.');
    const messageId = String(request.headers['webhook-id']);
    onMessage({ messageId, receivedAt: new Date(now()).toISOString(), body: parsed }, text);
    return respond(204);
  };
  return createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_LENGTH) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the address to send messages to. On this machine only: nobody else can reach the listener. */
export function openPort(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portFailure(error, port)));
    server.listen(port, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    });
  });
}

function portFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Failure('port_in_use', `Port ${port} is in use. Choose another with --port.`);
  }
  if (error.code === 'EACCES') {
    return new Failure(
      'port_not_allowed',
      `You are not allowed to use port ${port}. Choose one above 1023 with --port.`,
    );
  }
  return error;
}

/** Resolves when no connection is left. */
export function closePort(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const PREFIX = 'whsec_';
/** What Standard Webhooks allows. */
const KEY_BYTES = { least: 24, most: 64 };
const TOLERANCE_SECONDS = 5 * 60;

/** A webhook secret of a form has the same prefix, but it is no base64: its text is the key. */
const FORM_SECRET = /^whsec_[0-9A-Za-z]{43}$/;

/** The key of a destination's signing secret. No error repeats the secret. */
export function readSigningKey(secret: string): Buffer {
  if (FORM_SECRET.test(secret)) {
    throw new UsageFailure(
      "This looks like a form's webhook secret, which senders sign leads with. Pass the destination's signing secret, which ends with =.",
    );
  }
  const base64 = secret.slice(PREFIX.length);
  const key = Buffer.from(base64, 'base64');
  const isWhole = key.toString('base64') === base64;
  if (!secret.startsWith(PREFIX) || !isWhole || key.length < KEY_BYTES.least || key.length > KEY_BYTES.most) {
    throw new UsageFailure(
      `Not a signing secret. Pass the secret that was shown when the destination was created or its secret was rotated: ${PREFIX} and base64.`,
    );
  }
  return key;
}

/** Why a message is not genuine, as a sentence; undefined if it is. */
export function problemOf(
  headers: IncomingHttpHeaders,
  body: Buffer,
  key: Buffer,
  nowMilliseconds: number,
): string | undefined {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  const missing = names.filter((name) => !headers[name]);
  if (missing.length > 0) return `Missing headers: ${missing.join(', ')}.`;
  const [id, timestamp, signatures] = names.map((name) => String(headers[name])) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp)) return 'webhook-timestamp is not a time in seconds.';
  const ageSeconds = Math.floor(nowMilliseconds / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) {
    const side = ageSeconds > 0 ? 'in the past' : 'in the future';
    return `webhook-timestamp is ${Math.abs(ageSeconds)} seconds ${side}; ${TOLERANCE_SECONDS} are allowed. Check the clock.`;
  }
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const matches = signatures.split(' ').map((each) => isSignature(each, expected));
  if (matches.includes(true)) return undefined;
  return "The signature doesn't match. Check that --secret is the signing secret of this destination.";
}

function isSignature(text: string, expected: Buffer): boolean {
  if (!text.startsWith('v1,')) return false;
  const given = Buffer.from(text.slice(3), 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** A verified message. Everything is optional: the signature proves who sent it, not what it contains. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receivedAt: string;
  readonly body: MessageBody;
}

export interface MessageBody {
  readonly type?: unknown;
  readonly data?: {
    readonly lead?: Readonly<Record<string, unknown>>;
    readonly alert?: Readonly<Record<string, unknown>>;
  };
}

/** Undefined for anything but a JSON object. */
export function parseMessageBody(text: string): MessageBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** One block for people. */
export function describeMessage({ messageId, receivedAt, body }: ReceivedMessage): string[] {
  const lead = isRecord(body.data) && isRecord(body.data.lead) ? body.data.lead : {};
  const alert = isRecord(body.data) && isRecord(body.data.alert) ? body.data.alert : {};
  const facts: [string, string | undefined][] = [
    ['Message ID', messageId],
    ['Alert ID', optional(alert.alertId)],
    ['Alert', optional(alert.title)],
    ['Outcome', optional(alert.outcome)],
    ['Submission ID', optional(lead.submissionId)],
    ['Form', optional(lead.formId)],
    ['Received', optional(lead.receivedAt)],
    ['Score', scoreOf(lead)],
    ['Signals', namesOf(lead.signals)],
  ];
  return [
    `${receivedAt}  ${inOneLine(body.type ?? '(no type)')}`,
    ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(15)}${value}`])),
    ...section('Fields', lead.fields),
    ...section('Enrichment', lead.enrichment),
  ].map(printable);
}

function section(title: string, values: unknown): string[] {
  if (!isRecord(values) || Object.keys(values).length === 0) return [];
  return [
    `  ${title}`,
    ...Object.entries(values).map(([name, value]) => `    ${inOneLine(name)}: ${inOneLine(value)}`),
  ];
}

function scoreOf({ score, clean }: Readonly<Record<string, unknown>>): string | undefined {
  if (score === undefined) return undefined;
  return `${inOneLine(score)}${clean === true ? ', clean' : clean === false ? ', not clean' : ''}`;
}

function namesOf(signals: unknown): string | undefined {
  if (!Array.isArray(signals) || signals.length === 0) return undefined;
  return signals.map((signal) => inOneLine(isRecord(signal) ? signal.name : signal)).join(', ');
}

function optional(value: unknown): string | undefined {
  return value === undefined ? undefined : inOneLine(value);
}

/** Text with line breaks as JSON. */
function inOneLine(value: unknown): string {
  return typeof value === 'string' && !/\p{Cc}/u.test(value) ? value : String(JSON.stringify(value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
