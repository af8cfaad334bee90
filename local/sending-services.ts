import { randomUUID } from 'node:crypto';
import { open, rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type Closers, isFromProgram, listenOnLoopback } from './lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './local-account.ts';

/** A request that the service refuses, with the name of AWS's error. */
export class ServiceFault extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Runs an operation and returns its result. Throws a ServiceFault to refuse it. */
export type RunOperation = (request: IncomingMessage, body: unknown) => Promise<object>;

/** Serves a small AWS API to programs on this machine. Returns its address. */
export function startJsonService(run: RunOperation, closers: Closers): Promise<string> {
  const server = createServer(async (request, response) => {
    if (!isFromProgram(request)) {
      response.writeHead(403).end();
      return;
    }
    const [status, result] = await json(request)
      .then((body) => run(request, body))
      .then((found) => [200, found] as const, refusal);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  });
  // Functions keep their connections open.
  server.keepAliveTimeout = 0;
  return listenOnLoopback(server, closers);
}

/** REST services name the message `message`, the others `Message`. */
function refusal(error: Error) {
  const { name, message } = error;
  return [error instanceof ServiceFault ? 400 : 500, { __type: name, message, Message: message }] as const;
}

interface NameAndValue {
  readonly Name: string;
  readonly Value: string;
}

interface SendEmailRequest {
  readonly FromEmailAddress?: string;
  readonly Destination?: { readonly ToAddresses?: readonly string[] };
  readonly ReplyToAddresses?: readonly string[];
  readonly ConfigurationSetName?: string;
  readonly EmailTags?: readonly NameAndValue[];
  readonly Content?: {
    readonly Simple?: {
      readonly Headers?: readonly NameAndValue[];
      readonly Subject?: { readonly Data?: string };
      readonly Body?: {
        readonly Text?: { readonly Data?: string };
        readonly Html?: { readonly Data?: string };
      };
    };
  };
}

export const SEND_EMAIL_PATH = '/v2/email/outbound-emails';

/** An SES that sends nothing: each mail becomes a file in the folder. */
export async function startSes(folder: string, closers: Closers): Promise<{ readonly endpoint: string }> {
  const endpoint = await startJsonService(async ({ url }, body) => {
    if (url !== SEND_EMAIL_PATH) throw new ServiceFault('NotFoundException', 'Only SendEmail is supported');
    return { MessageId: (await writeMail(folder, body as SendEmailRequest)).id };
  }, closers);
  return { endpoint };
}

/** Writes a mail instead of sending it. */
export async function writeMail(folder: string, request: SendEmailRequest) {
  const id = randomUUID();
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${id}.eml`);
  // Renamed when it is complete, for programs that watch the folder.
  await writeFile(`${file}.part`, toFile(id, request), { mode: 0o600 });
  await rename(`${file}.part`, file);
  return { id, file };
}

/** As SES has it: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageTag.html */
const TAG = /^[A-Za-z0-9_-]{1,256}$/;

/** Named as in SMTP, where headers carry what the API takes as parameters. */
function sesHeaders({ ConfigurationSetName, EmailTags = [] }: SendEmailRequest): Record<string, string> {
  if (EmailTags.some(({ Name, Value }) => !TAG.test(Name) || !TAG.test(Value))) {
    throw new ServiceFault('BadRequestException', 'A tag has letters, digits, _ and - only');
  }
  const tags = EmailTags.map(({ Name, Value }) => `${Name}=${Value}`).join(', ');
  return {
    ...(ConfigurationSetName !== undefined && { 'X-SES-CONFIGURATION-SET': ConfigurationSetName }),
    ...(tags !== '' && { 'X-SES-MESSAGE-TAGS': tags }),
  };
}

function toFile(id: string, request: SendEmailRequest): string {
  const { FromEmailAddress, Destination, ReplyToAddresses, Content } = request;
  const subject = Content?.Simple?.Subject?.Data;
  const { Text: { Data: text } = {}, Html: { Data: html } = {} } = Content?.Simple?.Body ?? {};
  const to = Destination?.ToAddresses?.join(', ');
  if (!FromEmailAddress || !to || subject === undefined || text === undefined) {
    throw new ServiceFault('BadRequestException', 'Sender, recipient, subject and text are required');
  }
  const headers = {
    From: FromEmailAddress,
    To: to,
    ...(ReplyToAddresses && { 'Reply-To': ReplyToAddresses.join(', ') }),
    Subject: encodeWords(subject),
    Date: new Date().toUTCString().replace('GMT', '+0000'),
    'Message-ID': `<${id}@localhost>`,
    'MIME-Version': '1.0',
    ...(html === undefined ? TEXT_PART : { 'Content-Type': `multipart/alternative; boundary="${id}"` }),
    ...sesHeaders(request),
    ...Object.fromEntries((Content?.Simple?.Headers ?? []).map(({ Name, Value }) => [Name, Value])),
  };
  const lines = headerLines(headers);
  if (lines.some((line) => /[\r\n]/.test(line))) {
    throw new ServiceFault('BadRequestException', 'A header contains a line break');
  }
  const textPart = text.split(/\r?\n/);
  if (html === undefined) return [...lines, '', ...textPart].join('\r\n');
  const start = (part: Readonly<Record<string, string>>) => [`--${id}`, ...headerLines(part), ''];
  const parts = [...start(TEXT_PART), ...textPart, ...start(HTML_PART), ...html.split(/\r?\n/), `--${id}--`];
  return [...lines, '', ...parts, ''].join('\r\n');
}

const TEXT_PART = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': '8bit',
} as const;
const HTML_PART = { ...TEXT_PART, 'Content-Type': 'text/html; charset=utf-8' } as const;

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

const ASCII = /^[\x20-\x7e]*$/;
/** As many characters of four bytes as fit into one encoded word. */
const WORD_CHARACTERS = 11;

/** Headers are ASCII: https://www.rfc-editor.org/rfc/rfc2047 */
function encodeWords(text: string): string {
  if (ASCII.test(text) || /[\r\n]/.test(text)) return text;
  const characters = [...text];
  const words: string[] = [];
  while (characters.length > 0) {
    const word = characters.splice(0, WORD_CHARACTERS).join('');
    words.push(`=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`);
  }
  return words.join(' ');
}

interface Entry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  /** In seconds since 1970. */
  readonly Time?: number;
  readonly Resources?: readonly string[];
  readonly EventBusName?: string;
}

/** An event as the target of a rule gets it. */
export type BusEvent = ReturnType<typeof toEvent>;

export interface EventBus {
  readonly endpoint: string;
  /** Called with each event for the default bus, where AWS services put theirs. */
  subscribe(listener: (event: BusEvent) => void): void;
}

/** An EventBridge that keeps what it gets: each event becomes a line of the file, as the target of a rule would get it. */
export async function startEventBus(file: string, closers: Closers): Promise<EventBus> {
  const listeners: ((event: BusEvent) => void)[] = [];
  // It exists from the start, so that `tail -f` can follow it, and is kept open: dispatch writes every lead to it.
  const lines = await open(file, 'a', 0o600);
  closers.defer(() => lines.close());
  const endpoint = await startJsonService(async ({ headers }, body) => {
    if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
      throw new ServiceFault('UnknownOperationException', 'Only PutEvents is supported');
    }
    const { Entries } = body as { Entries: readonly Entry[] };
    const events = Entries.map(toEvent);
    const isForDefault = ({ EventBusName = 'default' }: Entry) => EventBusName === 'default';
    const stored = events.filter((_, index) => !isForDefault(Entries[index] ?? {}));
    if (stored.length > 0) {
      await lines.appendFile(stored.map((event) => `${JSON.stringify(event)}\n`).join(''));
    }
    for (const event of events.filter((each) => !stored.includes(each))) {
      for (const listener of listeners) listener(event);
    }
    return { FailedEntryCount: 0, Entries: events.map(({ id }) => ({ EventId: id })) };
  }, closers);
  return { endpoint, subscribe: (listener) => listeners.push(listener) };
}

function toEvent({ Source, DetailType, Detail = '{}', Time, Resources = [] }: Entry) {
  const time = new Date(Time === undefined ? Date.now() : Time * 1000).toISOString();
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: LOCAL_ACCOUNT,
    time: time.replace(/\.\d+Z$/, 'Z'),
    region: LOCAL_REGION,
    resources: Resources,
    detail: JSON.parse(Detail) as unknown,
  };
}
