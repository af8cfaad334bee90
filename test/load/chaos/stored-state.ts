import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { toDocumentClient } from '#aws/document-client.ts';
import { type Enrichment, fromEnrichmentItem } from '#enrichment/enrichment-item.ts';
import { fromLeadItem, type Lead } from '#submission/lead-item.ts';
import { localStack } from '../../local-stack.ts';

type Item = Record<string, unknown>;

/** Everything that the tables hold about the submissions of the run. */
export interface StoredState {
  readonly leads: readonly Lead[];
  readonly enrichments: ReadonlyMap<string, Enrichment>;
  /** By hash of workspace and key. */
  readonly keyRecords: ReadonlyMap<string, Item>;
  readonly workspaces: ReadonlyMap<string, Item>;
  /** Only the counts; the marks beside them are counted. */
  readonly hourlyCounts: readonly Item[];
  readonly countedMarks: ReadonlySet<string>;
}

export async function readStoredState(): Promise<StoredState> {
  const { tables, newClient } = localStack();
  const client = toDocumentClient(newClient());
  async function scan(TableName: string): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of paginateScan({ client }, { TableName, ConsistentRead: true })) {
      items.push(...(page.Items ?? []));
    }
    return items;
  }
  try {
    const [parts, keys, workspaces, stats] = (await Promise.all(
      [tables.leads, tables.idempotency, tables.workspaces, tables.stats].map(scan),
    )) as [Item[], Item[], Item[], Item[]];
    const marks = stats.filter(({ sk }) => String(sk).startsWith('counted#'));
    return {
      leads: parts.filter(({ part }) => part === 'lead').map(fromLeadItem),
      enrichments: new Map(
        parts
          .filter(({ part }) => part === 'enrichment')
          .map((item) => [String(item.leadId), fromEnrichmentItem(item)]),
      ),
      keyRecords: new Map(keys.map((item) => [String(item.keyHash), item])),
      workspaces: new Map(workspaces.map((item) => [String(item.workspaceId), item])),
      hourlyCounts: stats.filter(({ sk }) => String(sk).startsWith('hour#')),
      countedMarks: new Set(marks.map(({ sk }) => String(sk).slice('counted#'.length))),
    };
  } finally {
    client.destroy();
  }
}
