import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import type { TableKey } from '../../lambdas/contract.ts';
import { fromLeadItem } from '../../lambdas/model/lead-item.ts';
import type { LocalStack } from '../local-stack.ts';
import { type Canary, type Place, spellingsOf } from './canaries.ts';

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
    const nouns = Object.keys(tables) as TableKey[];
    return await Promise.all(
      nouns.map(async (noun): Promise<[Place, string]> => {
        const texts: string[] = [];
        const pages = paginateScan(
          { client: toDocumentClient(client) },
          { TableName: tables[noun], ConsistentRead: true },
        );
        for await (const { Items = [] } of pages) texts.push(...Items.map(toText));
        return [noun, texts.join('\n')];
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
