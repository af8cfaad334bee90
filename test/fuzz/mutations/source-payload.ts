import type { SeededRandom } from '../../random.ts';
import { type Apply, mutations } from '../draft.ts';
import { anyValue, KEYS } from './body.ts';

/** Where events, IDs and times are; changed before the body is signed. */
const TELLING = 'event_type eventType triggerType event triggerEvent type id createdAt'.split(' ');
const VALUES = [
  'PING',
  'form_response_partial',
  'customer.created',
  '',
  0,
  2 ** 53,
  null,
  'x'.repeat(501),
  'again-1',
];
const TIMES = [
  '2020-01-01T00:00:00Z',
  '2020-01-01T00:00:00',
  '2999-01-01T00:00:00+00:00',
  'yesterdayZ',
  1e12,
];

function changeOne(value: unknown, random: SeededRandom): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return anyValue(random, 0);
  const names = Object.keys(value);
  const name = names.length === 0 ? 'x' : random.pick(names);
  const changed = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  if (random.chance(0.2)) delete changed[name];
  else if (random.chance(0.1)) changed[random.pick(KEYS)] = changed[name];
  else changed[name] = changeOne(changed[name], random);
  return changed;
}

const body =
  (change: (parsed: Record<string, unknown>, random: SeededRandom) => unknown): Apply =>
  (draft, random) => {
    const text = draft.body.toString();
    if (text.startsWith('{') && text.endsWith('}') && text.length < 5000 && isJson(text))
      draft.body = Buffer.from(JSON.stringify(change(JSON.parse(text), random)) ?? '');
  };

/** An earlier mutation may have replaced the body. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const PAYLOAD_OPEN: Apply[] = [
  ...Array.from({ length: 6 }, () => body(changeOne)),
  ...Array.from({ length: 2 }, () =>
    body((parsed, random) => ({ ...parsed, [random.pick(TELLING)]: random.pick(VALUES) })),
  ),
  body((parsed, random) => {
    const time = random.pick(TIMES);
    const { form_response: response } = parsed;
    const inside = typeof response === 'object' && { form_response: { ...response, submitted_at: time } };
    return { ...parsed, createdAt: time, updated_at: time, ...inside };
  }),
  body((parsed) => ({
    ...parsed,
    zen: 'x',
    hook_id: 1,
    customer: {},
    payload: { ...Object(parsed.payload), old_invitee: 'x' },
  })),
];

export const SOURCE_PAYLOAD = mutations('payload', 'open', PAYLOAD_OPEN);
