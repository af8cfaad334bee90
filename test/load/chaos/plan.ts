import { readFileSync } from 'node:fs';
import { LIMITS, SURFACES, type Surface } from '#model/limits.ts';
import { SeededRandom } from '../../random.ts';

/** A sender that retries a key until it is accepted. */
export interface Client {
  readonly name: string;
  readonly surface: Surface;
  /** The body is padded to this many bytes; 0 means no padding. */
  readonly bytes: number;
}

/** One key and its concurrent senders. Seed and number decide everything. */
export interface Plan {
  readonly key: string;
  readonly number: number;
  readonly tenant: number;
  readonly clients: readonly Client[];
}

interface PlannerSettings {
  readonly seed: number;
  readonly tenants: number;
  /** The tenant close to its limit, where duplicates compete for the last submission. */
  readonly tightTenant: number;
}

const TIGHT_SHARE = 0.06;
const DUPLICATED_SHARE = 0.25;

const LEADS: readonly Record<string, unknown>[] = readFileSync(
  new URL('../../fixtures/leads/development.ndjson', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).body);

export function makePlan(number: number, { seed, tenants, tightTenant }: PlannerSettings): Plan {
  const random = SeededRandom.stream(seed, number);
  const tight = random.chance(TIGHT_SHARE);
  const others = Array.from({ length: tenants }, (_, tenant) => tenant).filter(
    (each) => each !== tightTenant,
  );
  const count = tight || random.chance(DUPLICATED_SHARE) ? 2 : 1;
  return {
    key: `key-${seed}-${number}`,
    number,
    tenant: tight ? tightTenant : random.pick(others),
    // The surfaces of a workspace share keys, so duplicates may use either.
    clients: Array.from({ length: count }, (_, at) => ({
      name: `client-${at + 1}`,
      surface: random.pick(SURFACES),
      bytes: chooseBytes(random),
    })),
  };
}

/** Most have a usual size, some are large, and a few have the maximum size. */
function chooseBytes(random: SeededRandom): number {
  const draw = random.next();
  if (draw < 0.7) return 0;
  if (draw < 0.9) return 2_000 + random.below(6_000);
  if (draw < 0.98) return 8_000 + random.below(60_000);
  return LIMITS.bodyBytes;
}

/** A client's body. It contains the key, so that a lead shows which key it belongs to. */
export function bodyOf(plan: Plan, client: Client): string {
  const random = new SeededRandom(plan.number);
  const lead = random.pick(LEADS);
  // Whitespace must be preserved too.
  const indent = random.below(3);
  const write = (padding: string) =>
    JSON.stringify({ ...lead, sent: { key: plan.key, by: client.name, padding } }, null, indent);
  const missing = client.bytes - Buffer.byteLength(write(''));
  // Text that doesn't compress well.
  return missing <= 0 ? write('') : write(random.text(missing));
}

export function keyIn(body: string): string | undefined {
  return (JSON.parse(body) as { sent?: { key?: string } }).sent?.key;
}
