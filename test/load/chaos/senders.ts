import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Random } from '#bench/seeded-random.ts';
import { LIMITS, rateWindowsAt, SURFACES } from '#model/limits.ts';
import { type openContract, requestFor, type Tenant } from '../../contract/tenant.ts';
import { acceptedId, isRejected, type Post, type Reply } from '../post.ts';
import type { Room } from './audit.ts';
import { bodyOf, type Client, type Plan } from './plan.ts';

export interface SenderSettings {
  readonly post: Post;
  readonly tenants: readonly Tenant[];
  readonly ledger: Ledger;
  readonly random: Random;
  readonly nextPlan: () => Plan;
  /** Its clients give up after a few attempts; otherwise they would wait for many minutes. */
  readonly tightTenant: number;
}

const LANES = 20;
const TIGHT_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 2_000;
const SENT_AGAIN_SHARE = 0.1;

/** Well-behaved clients: they retry the same key until a 202, each time with a new timestamp and signature. */
export function startSenders(settings: SenderSettings) {
  const { ledger, random } = settings;
  const enough = new AbortController();
  const givingUp = new AbortController();

  async function lane(): Promise<void> {
    while (!enough.signal.aborted) {
      const plan = settings.nextPlan();
      const history = historyOf(ledger, plan);
      await Promise.all(plan.clients.map((client) => sendUntilAccepted(history, client)));
    }
  }

  async function sendUntilAccepted(history: KeyHistory, client: Client): Promise<void> {
    const attempts = history.plan.tenant === settings.tightTenant ? TIGHT_ATTEMPTS : Number.POSITIVE_INFINITY;
    for (let attempt = 1; attempt <= attempts && !givingUp.signal.aborted; attempt += 1) {
      if (await attemptOnce(history, client)) {
        // Some don't get the answer and send again.
        if (random() < SENT_AGAIN_SHARE) await attemptOnce(history, client);
        return;
      }
      const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
      await sleep(backoff * (0.5 + random()));
    }
  }

  async function attemptOnce(history: KeyHistory, client: Client): Promise<boolean> {
    const reply = await submit(settings, history.plan, client);
    return reply !== undefined && recordReply(ledger, history, reply);
  }

  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  return {
    /** Starts no new keys, and waits this long for those under way. */
    async finish(patienceMilliseconds: number): Promise<void> {
      enough.abort();
      const timer = setTimeout(() => givingUp.abort(), patienceMilliseconds);
      await lanes;
      clearTimeout(timer);
    },
  };
}

/** Undefined if the connection failed and the outcome is unknown. */
export async function submit(
  { post, tenants, ledger }: Pick<SenderSettings, 'post' | 'tenants' | 'ledger'>,
  plan: Plan,
  client: Client,
): Promise<Reply | undefined> {
  ledger.attempts += 1;
  const headers = { 'X-SVC-Idempotency-Key': plan.key };
  const tenant = tenants[plan.tenant] as Tenant;
  try {
    return await post(requestFor(client.surface, tenant, { body: bodyOf(plan, client), headers }));
  } catch {
    ledger.lost += 1;
    return undefined;
  }
}

/** What the clients of a key have seen. */
interface KeyHistory {
  readonly plan: Plan;
  readonly acceptedIds: Set<string>;
}

/** What the senders know at the end. The audit compares it with the tables. */
export interface Ledger {
  readonly keys: Map<string, KeyHistory>;
  readonly forbiddenResponses: string[];
  /** Keys with a 202. */
  accepted: number;
  attempts: number;
  rejections: number;
  /** Connections refused, reset, or closed without an answer. */
  lost: number;
  slowestMilliseconds: number;
}

export function newLedger(): Ledger {
  return {
    keys: new Map(),
    forbiddenResponses: [],
    accepted: 0,
    attempts: 0,
    rejections: 0,
    lost: 0,
    slowestMilliseconds: 0,
  };
}

export function historyOf(ledger: Ledger, plan: Plan): KeyHistory {
  const history = ledger.keys.get(plan.key) ?? { plan, acceptedIds: new Set() };
  ledger.keys.set(plan.key, history);
  return history;
}

/** Whether the answer was an acceptance. */
export function recordReply(ledger: Ledger, history: KeyHistory, reply: Reply): boolean {
  ledger.slowestMilliseconds = Math.max(ledger.slowestMilliseconds, reply.tookMilliseconds);
  const id = acceptedId(reply);
  if (id === undefined && !isRejected(reply))
    ledger.forbiddenResponses.push(`${reply.status} ${reply.body.slice(0, 80)}`);
  if (id === undefined) {
    ledger.rejections += 1;
    return false;
  }
  if (history.acceptedIds.size === 0) ledger.accepted += 1;
  history.acceptedIds.add(id);
  return true;
}

type Contract = Pick<ReturnType<typeof openContract>, 'client' | 'tables'>;

/** Fills a workspace's next minutes, so that only `left` more submissions fit into each. */
export async function fillMinutes(
  { client, tables }: Contract,
  { workspaceId, minutes, left }: { workspaceId: string; minutes: number; left: number },
): Promise<Room[]> {
  const counters = Array.from({ length: minutes }, (_, minute) =>
    SURFACES.map((surface) => rateWindowsAt(surface, Date.now() + minute * 60_000).minuteCounter),
  ).flat();
  await client.send(
    new UpdateCommand({
      TableName: tables.workspaces,
      Key: { workspaceId },
      UpdateExpression: `SET ${counters.map((_, index) => `#c${index} = :count`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(counters.map((name, index) => [`#c${index}`, name])),
      ExpressionAttributeValues: { ':count': LIMITS.submissionsPerMinute - left },
    }),
  );
  return counters.map((counter) => ({ workspaceId, counter, left }));
}
