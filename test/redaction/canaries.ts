import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import type { TableKey } from '../../lambdas/contract.ts';
import { fromLeadItem } from '../../lambdas/model/lead-item.ts';
import type { LocalStack } from '../local-stack.ts';

/** Where a value may be found afterwards. It must not be anywhere else, in any encoding. */
export type Place = TableKey | 'logs' | 'output of the stack' | 'output of leadctl';

/** Where the record of a rejection is stored, and what the recorder writes about it. */
export const REJECTION_PLACES = ['rejections', 'unauthenticatedRejections', 'diagnostics'] as const;

/** A unique value. */
interface Canary {
  readonly what: string;
  /** The part that every encoding keeps. */
  readonly core: string;
  readonly allowed: readonly Place[];
}

export interface Canaries {
  readonly all: readonly Canary[];
  /** Returns a new value, of letters and digits. */
  create(what: string, allowed?: readonly Place[]): string;
  /** Adds a value that already exists: a token, a secret, a signature. */
  track(what: string, core: string, allowed?: readonly Place[]): string;
}

export function makeCanaries(): Canaries {
  const all: Canary[] = [];
  function track(what: string, core: string, allowed: readonly Place[] = []): string {
    // Shorter ones would occur by chance.
    if (core.length < 12) throw new Error(`${what} is too short to be unique`);
    all.push({ what, core, allowed });
    return core;
  }
  return {
    all,
    track,
    create: (what, allowed) => track(what, `cny${randomBytes(8).toString('hex')}`, allowed),
  };
}

/**
 * The encodings in which it may be copied: unchanged, lower and upper case, hex, and base64 at each of the three offsets
 * where it can begin. The core has no characters that URL encoding or JSON would escape.
 */
export function spellingsOf(core: string): string[] {
  const bytes = Buffer.from(core);
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The first and last characters depend on the neighbours.
    return text.slice(shift === 0 ? 0 : 4, Math.floor((shift + bytes.length) / 3) * 4);
  });
  const hex = bytes.toString('hex');
  const plain = [core, core.toLowerCase(), core.toUpperCase(), hex, hex.toUpperCase()];
  const ofHexText = /^(?:[0-9a-f]{2})+$/.test(core)
    ? [Buffer.from(core, 'hex').toString('base64').slice(0, -4)]
    : [];
  const all = [...plain, ...base64, ...ofHexText];
  return [...new Set([...all, ...all.map(toUrlAlphabet)])];
}

const toUrlAlphabet = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/** Headers with a canary in each one that a sender may set. */
export function guardedHeaders(canaries: Canaries, what: string, ofUserAgent: readonly Place[]) {
  const create = (name: string, allowed?: readonly Place[]) => canaries.create(`${name} of ${what}`, allowed);
  return {
    'User-Agent': create('the user agent', ofUserAgent),
    'X-Forwarded-For': create('the forwarded address'),
    Cookie: `session=${create('the cookie')}`,
    Referer: `https://example.com/${create('the referer')}`,
    [`X-${create("a header's name")}`]: create('a header'),
    'X-SVC-Idempotency-Key': `${create('the idempotency key')}@example.com`,
  };
}

/** A body with a canary in every value, and in the name of a key. */
export function guardedBody(
  canaries: Canaries,
  what: string,
  ofValues: readonly Place[],
  ofKeys: readonly Place[],
): string {
  const value = (name: string) => canaries.create(`${name} of ${what}`, ofValues);
  // Leads are found by their names, addresses and numbers, and by nothing else.
  const ofFound: readonly Place[] = ofValues.includes('leads') ? [...ofValues, 'leadIndex'] : ofValues;
  const found = (name: string) => canaries.create(`${name} of ${what}`, ofFound);
  return JSON.stringify({
    name: 'Ada Byron',
    email: `ada@${found('the e-mail')}.co.uk`,
    phone: '+49 30 901820',
    company: `Analytical Engines ${found('the company')}`,
    website: `https://analytical-engines.co.uk/${value('the website')}?a=b`,
    message: `Please call me next week about ${value('the message')}. "Thank you" & regards`,
    nested: { list: [value('a nested value')] },
    [canaries.create(`a key's name of ${what}`, ofKeys)]: value('the value of that key'),
  });
}

/** Everything stored or printed at one place, as text. */
export type Haystack = ReadonlyMap<Place, string>;

/** Which canaries were found where they must not be. */
export function escaped(canaries: readonly Canary[], haystack: Haystack): string[] {
  return canaries.flatMap((canary) =>
    [...haystack]
      .filter(([place]) => !canary.allowed.includes(place))
      .flatMap(([place, text]) => foundIn(text, canary, place)),
  );
}

/** Shows the text around it, which tells who wrote it. */
function foundIn(text: string, { what, core }: Canary, place: Place): string[] {
  const spelling = spellingsOf(core).find((each) => text.includes(each));
  if (spelling === undefined) return [];
  const at = text.indexOf(spelling);
  return [`${what} in ${place}: …${text.slice(Math.max(0, at - 120), at)}[here]…`];
}

export function isAt(haystack: Haystack, place: Place, core: string): boolean {
  return haystack.get(place)?.includes(core) ?? false;
}

export function readLogs(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

export async function readTables({ tables, newClient }: LocalStack): Promise<[Place, string][]> {
  const client = newClient();
  try {
    const tableKeys = Object.keys(tables) as TableKey[];
    return await Promise.all(
      tableKeys.map(async (tableKey): Promise<[Place, string]> => {
        const texts: string[] = [];
        const pages = paginateScan(
          { client: toDocumentClient(client) },
          { TableName: tables[tableKey], ConsistentRead: true },
        );
        for await (const { Items = [] } of pages) texts.push(...Items.map(toText));
        return [tableKey, texts.join('\n')];
      }),
    );
  } finally {
    client.destroy();
  }
}

/** Compressed values are searched decompressed, and bytes also as they are. */
function toText(item: Record<string, unknown>): string {
  const unpacked = item.packed instanceof Uint8Array ? [JSON.stringify(fromLeadItem(item))] : [];
  const plain = JSON.stringify(item, (_, value: unknown) =>
    value instanceof Uint8Array ? readable(value) : value,
  );
  return [plain, ...unpacked].join('\n');
}

function readable(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  try {
    return brotliDecompressSync(buffer).toString('utf8');
  } catch {
    return buffer.toString('latin1');
  }
}
