import { hasExpired, readNewLead } from '#model/lead-item.ts';
import { type Item, plainValues } from '../double/wire-format.ts';
import type { World } from '../service/world.ts';
import type { Observed } from './observed.ts';

interface TableItem {
  readonly table: string;
  readonly item: Item;
}

interface StoredItem {
  readonly table: string;
  readonly item: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function readable({ table, item }: TableItem): StoredItem {
  const values = plainValues(item);
  return { table, item: values, text: JSON.stringify(values).toLowerCase() };
}

const itemsOf = ({ double }: World): TableItem[] =>
  double.tableNames.flatMap((table) =>
    double
      .table(table)
      .all()
      .map((item) => ({ table, item })),
  );

const allItems = (world: World) => itemsOf(world).map(readable);

/** What is in the tables now, and what is written later. */
export function storedFromNowOn(world: World): readonly TableItem[] {
  const stored = itemsOf(world);
  const { double } = world;
  const { onChange } = double;
  double.onChange = (change) => {
    onChange(change);
    if (change.after) stored.push({ table: change.table, item: change.after });
  };
  return stored;
}

/** The leads that are stored, or were. */
export function leadIdsOf(world: World, isWanted: (body: string) => boolean = () => true): string[] {
  const records = world.streams.leads.shards.flatMap((shard) => shard.records);
  const wanted = records.filter(
    (record) => readNewLead(record) && isWanted(String(record.dynamodb?.NewImage?.body?.S)),
  );
  return [...new Set(wanted.map(({ dynamodb }) => String(dynamodb?.NewImage?.leadId?.S)))];
}

/** What tells who the person of scenarios/erasure.ts is: name and number in the spellings that the service stores. */
const PERSONAL = ['ada byron', '7946 0958', '2079460958'];

/**
 * After an erasure that said `complete`, no table has anything of the leads that the person had sent before it, except for
 * what docs/erasure.md says: notes, tombstones, marks of the statistics and answered keys, all without personal text.
 */
export function personIsGone({ world }: Observed): string[] {
  const { erasure } = world;
  if (!erasure?.complete) return [];
  const isErased = (leadId: string) => erasure.leadIds.has(leadId) && !mayComeBack(world, leadId);
  const [erased, others] = [
    leadIdsOf(world).filter(isErased),
    leadIdsOf(world).filter((id) => !isErased(id)),
  ];
  const names = ({ text }: StoredItem, leadIds: readonly string[]) => leadIds.some((id) => text.includes(id));
  const isPersonal = ({ text }: StoredItem) =>
    [erasure.person, ...PERSONAL].some((part) => text.includes(part));
  const isLeft = (stored: StoredItem) =>
    isPersonal(stored) ? !names(stored, others) : names(stored, erased) && !isNote(stored);
  // Until a message comes back, an enrichment may be stored without its lead. What has expired is deleted late.
  const isShown = ({ item }: StoredItem) => item.part !== 'enrichment' && !hasExpired(item, world.time.now());
  const seen = (erasure.storedSince ?? []).map(readable).filter(isShown);
  return [
    ...allItems(world)
      .filter(isLeft)
      .map(({ table, text }) => `${table} still has ${text}`),
    ...seen
      .filter((stored) => isPersonal(stored) && isLeft(stored))
      .map(({ table, text }) => `${table} had, after the erasure, ${text}`),
  ];
}

/** DynamoDB may carry out a request twice if its caller gave up and tried again, the second time after the erasure. */
export function mayComeBack({ network }: World, leadId: string): boolean {
  return network.secondWrites.some((written) => written.includes(leadId));
}

function isNote({ table, item }: StoredItem): boolean {
  if (table === 'leads') return item.part === 'erased';
  if (table === 'leadIndex') return item.erasedAt !== undefined;
  return table === 'idempotency' || (table === 'stats' && String(item.sk).startsWith('counted#'));
}

/** After an offboarding that ended, no table has anything of the workspace, except for answered keys. */
export function workspaceIsGone({ world }: Observed): string[] {
  if (world.offboarding !== 'gone') return [];
  const { workspaceId, formId } = world.sender;
  const ids = [workspaceId, formId, ...leadIdsOf(world)].map((id) => id.toLowerCase());
  return allItems(world)
    .filter(({ table, text }) => table !== 'idempotency' && ids.some((id) => text.includes(id)))
    .map(({ table, text }) => `${table} still has ${text}`);
}
