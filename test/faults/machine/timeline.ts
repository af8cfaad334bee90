import type { Input } from '../double/dynamodb-double.ts';

export interface TimelineEntry {
  readonly at: number;
  readonly environment: string;
  readonly activity: string;
  readonly what: string;
  readonly outcome: string;
  readonly detail: () => string;
}

/** The events in order, and a fingerprint, so that equal schedules count once. */
export class Timeline {
  readonly #lines: string[] = [];
  readonly #keep: boolean;
  readonly #startedAt: number;
  #low = 0x811c9dc5;
  #high = 0x01000193;
  #length = 0;

  constructor(startedAt: number, keep: boolean) {
    this.#startedAt = startedAt;
    this.#keep = keep;
  }

  get length(): number {
    return this.#length;
  }

  /** Request, call and outcome make the fingerprint. The time doesn't: the same order at another hour is not new. */
  add(entry: TimelineEntry): void {
    this.#length += 1;
    this.#mix(`${entry.activity}|${entry.what}|${entry.outcome}`);
    if (!this.#keep) return;
    const at = `+${entry.at - this.#startedAt} ms`.padStart(12);
    const [who, what] = [`${entry.activity} @${entry.environment}`.padEnd(24), entry.what.padEnd(28)];
    this.#lines.push(`${at}  ${who} ${what} ${entry.outcome.padEnd(12)} ${entry.detail()}`.trimEnd());
  }

  /** Adds a line that is not part of the fingerprint. */
  remark(text: string): void {
    if (this.#keep) this.#lines.push(`              ${text}`);
  }

  #mix(text: string): void {
    for (let i = 0; i < text.length; i += 1) {
      this.#low = Math.imul(this.#low ^ text.charCodeAt(i), 0x01000193);
      this.#high = Math.imul(this.#high ^ text.charCodeAt(i), 0x85ebca6b);
      this.#high ^= this.#high >>> 13;
    }
  }

  fingerprint(): string {
    return `${(this.#high >>> 0).toString(36)}.${(this.#low >>> 0).toString(36)}`;
  }

  lines(): readonly string[] {
    return this.#lines;
  }
}

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Actions = readonly Readonly<Record<string, Input>>[];

/** The tables of a call, by name. */
export function tableOf(operation: string, input: Input): string {
  if (input.RequestItems) return Object.keys(input.RequestItems).join('+');
  if (operation === 'TransactWriteItems') return [...new Set(targetsOf(input))].join('+');
  return String(input.TableName ?? String(input.QueueUrl).split('/').at(-1));
}

function targetsOf({ TransactItems }: Input): string[] {
  return (TransactItems as Actions).flatMap((item) =>
    Object.values(item).map(({ TableName }) => String(TableName)),
  );
}

/** Whether a read is consistent. Writes always are. */
export function isConsistent(operation: string, input: Input): boolean {
  if (['GetItem', 'Query', 'Scan'].includes(operation)) return input.ConsistentRead === true;
  if (operation !== 'BatchGetItem') return true;
  return Object.values(input.RequestItems as Record<string, Input>).every(
    ({ ConsistentRead }) => ConsistentRead === true,
  );
}

const KEYS = ['workspaceId', 'sk', 'slug', 'formId', 'tokenHash', 'leadId', 'part', 'keyHash', 'requestId'];

/** The keys and values of a call, shortened for the timeline. */
export function keyOf(operation: string, input: Input): string {
  if (input.RequestItems || operation === 'TransactWriteItems') return '';
  if (operation === 'SendMessageBatch') return `${(input.Entries as unknown[]).length} messages`;
  if (operation === 'Query' || operation === 'Scan')
    return shorten(input.ExpressionAttributeValues as Values);
  const values = (input.Key ?? input.Item) as Values;
  const key = Object.fromEntries(Object.entries(values).filter(([name]) => KEYS.includes(name)));
  return [shorten(key), shorten(input.ExpressionAttributeValues as Values)].filter(Boolean).join('  ');
}

function shorten(values: Values = {}): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${String(Object.values(value)[0]).slice(-18)}`)
    .join(' ');
}
