import { printable } from '../../operator/terminal.ts';

/** A verified message. Everything is optional: the signature proves who sent it, not what it contains. */
export interface ReceivedMessage {
  readonly messageId: string;
  readonly receivedAt: string;
  readonly body: MessageBody;
}

export interface MessageBody {
  readonly type?: unknown;
  readonly data?: { readonly lead?: Readonly<Record<string, unknown>> };
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
  const facts: [string, string | undefined][] = [
    ['Message ID', messageId],
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
