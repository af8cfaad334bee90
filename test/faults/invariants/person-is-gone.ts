import { plainValues } from '../double/wire-format.ts';
import type { World } from '../service/world.ts';
import type { Observed } from './observed.ts';

/** After an erasure that said `complete`, no table has anything of the leads that the person had sent before it. */
export function personIsGone({ world }: Observed): string[] {
  const { erasure } = world;
  if (!erasure?.complete) return [];
  const before = world.submissions.filter(
    ({ body, responded }) => body.includes(erasure.person) && responded && responded.at < erasure.askedAt,
  );
  const ids = new Set(
    before.flatMap(({ response }) => /"submission_id":"([^"]+)"/.exec(response?.body ?? '')?.[1] ?? []),
  );
  return ['leads', 'leadIndex'].flatMap((table) =>
    itemsOf(world, table)
      .filter(({ leadId }) => ids.has(String(leadId)))
      .filter((item) => !isNote(item))
      .map((item) => `${table} still has ${JSON.stringify(item)}`),
  );
}

const itemsOf = (world: World, table: string) => world.double.table(table).all().map(plainValues);

/** What takes the place of an erased lead: ids, times and hashes. */
function isNote(item: Readonly<Record<string, unknown>>): boolean {
  return item.erasedAt !== undefined && item.email === undefined && item.body === undefined;
}
