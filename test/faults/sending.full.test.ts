import { expect, test } from '@jest/globals';
import { seededRandom } from '#bench/seeded-random.ts';
import { type Alter, openSendingFixture } from '../lambdas/sending/sending-fixture.ts';
import type { Faults } from '../lambdas/sending/timed-queue.ts';

// Dispatch and send on DynamoDB Local, while calls and answers are lost, batches are repeated and receivers fail.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SEEDS = 8;
const LEADS = 8;

/** Hours of leads, erasures and faults, then calm until nothing is left to do. Returns what went wrong. */
async function runSchedule(seed: number, alter?: Alter): Promise<string[]> {
  const random = seededRandom(seed);
  let isStormy = true;
  const faults: Faults = {
    call() {
      if (!isStormy || random() > 0.06) return 'fine';
      return random() < 0.5 ? 'lost' : 'answer lost';
    },
    repeats: () => isStormy && random() < 0.1,
  };
  const fixture = await openSendingFixture({ faults, ...(alter && { alter }) });
  try {
    const workspaceId = `ws_${seed}`;
    const start = fixture.now();
    const outages = { good: 0, flaky: HOUR, dead: 2 * HOUR };
    const kinds = Object.keys(outages) as (keyof typeof outages)[];
    const urlOf = (kind: string) => `https://${kind}.example/${seed}`;
    const taken = new Set<string>();
    for (const kind of kinds) {
      fixture.receivers.set(urlOf(kind), ({ headers, url }) => {
        const isOut = fixture.now() - start < outages[kind] && (kind === 'dead' || random() < 0.6);
        if (isOut) return random() < 0.5 ? { status: 500, excerpt: 'no' } : { error: 'timeout' };
        taken.add(`${url} ${headers['webhook-id']}`);
        return { status: 200 };
      });
    }
    const destinations = [];
    for (const kind of kinds) destinations.push(await fixture.newDestination(workspaceId, urlOf(kind)));

    const leads: string[] = [];
    const erased = new Map<string, number>();
    for (let count = 0; count < LEADS; count += 1) {
      leads.push(await fixture.accept(workspaceId));
      await fixture.runFor(Math.floor(random() * 3 * MINUTE));
      const victim = leads[Math.floor(random() * leads.length)];
      if (random() < 0.3 && victim !== undefined && !erased.has(victim)) {
        erased.set(victim, fixture.now());
        await fixture.erase(workspaceId, victim);
      }
    }
    await fixture.runFor(3 * HOUR);
    isStormy = false;
    await fixture.runFor(20 * HOUR);

    const wrong: string[] = [];
    const bodies = new Map<string, string>();
    for (const { id, body, url, at } of fixture.received) {
      if ((bodies.get(id) ?? body) !== body) wrong.push(`another body under ${id}`);
      bodies.set(id, body);
      const { type, data } = JSON.parse(body);
      const erasedAt = erased.get(data.lead.submissionId);
      if (type === 'lead.accepted' && erasedAt !== undefined && at > erasedAt) {
        wrong.push(`${id} was sent to ${url} ${at - erasedAt} ms after the erasure`);
      }
      if (type === 'lead.erased' && at - (erasedAt ?? at) < MINUTE) wrong.push(`${id} was sent too early`);
    }
    for (const { destinationId, url } of destinations) {
      const messages = await fixture.messagesOf(destinationId);
      const statusOf = (leadId: string, type: string) =>
        messages.find((each) => each.leadId === leadId && each.type === type)?.status;
      for (const leadId of leads) {
        const isErased = erased.has(leadId);
        const type = isErased ? 'lead.erased' : 'lead.accepted';
        const id = `${url} msg_${destinationId.slice(5)}_${leadId.replaceAll('-', '')}_${type.slice(5)}`;
        const status = statusOf(leadId, type);
        const isVisible = status === 'failed' || status === 'parked' || status === 'waiting';
        if (!taken.has(id) && !isVisible)
          wrong.push(`${type} never reached ${url}: ${status ?? 'no message'}`);
        // Every receiver works at the end, for longer than the longest wait between two attempts.
        if (status !== 'delivered') wrong.push(`${type} at ${url} is ${status ?? 'unknown'}`);
        const before = statusOf(leadId, 'lead.accepted');
        if (isErased && before !== undefined && before !== 'delivered' && before !== 'cancelled') {
          wrong.push(`an erased lead is still ${before} at ${url}`);
        }
      }
      if (JSON.stringify(messages).includes('"no"')) wrong.push(`${url} keeps an answer after delivery`);
    }
    return wrong;
  } finally {
    await fixture.close();
  }
}

test('every lead reaches every destination at least once, and none is sent after its erasure', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) expect([seed, await runSchedule(seed)]).toEqual([seed, []]);
}, 1_200_000); // Only a bound on hanging.

const DEFECTS: Readonly<Record<string, Alter>> = {
  'a parked message is not written down': ({ messages }) => ({
    messages: {
      ...messages,
      write: async (message, seen, signal) =>
        message.status === 'parked' || messages.write(message, seen, signal),
    },
  }),
  'retries are in the queue alone, whose errors are ignored': ({ messages, queue, health }) => ({
    messages: {
      ...messages,
      write: ({ dueAt, ...message }, seen, signal) =>
        messages.write(message.status === 'waiting' ? message : { ...message, dueAt }, seen, signal),
    },
    queue: { add: (tasks, signal) => queue.add(tasks, signal).catch(() => undefined) },
    health: { ...health, remind: async () => undefined },
  }),
  'a lead is read once and kept': ({ reader }) => {
    const kept = new Map<string, Awaited<ReturnType<typeof reader.read>>>();
    return {
      reader: {
        ...reader,
        async read(workspaceId, key, signal) {
          const id = `${key.destinationId} ${key.leadId} ${key.type}`;
          const found = kept.get(id);
          const now = await reader.read(workspaceId, key, signal);
          const leadItem = found?.leadItem ?? now.leadItem;
          kept.set(id, { ...now, leadItem });
          return { ...now, leadItem };
        },
      },
    };
  },
  'a recovery wakes nobody': ({ health, queue }) => ({
    health: {
      ...health,
      recover: async (of, _now, signal) => void (await health.reschedule(of, undefined, {}, signal)),
    },
    queue: {
      add: (tasks, signal) =>
        queue.add(
          tasks.filter(({ task }) => task.task !== 'wake'),
          signal,
        ),
    },
  }),
};

test.each(Object.entries(DEFECTS))(
  'the schedules find a planted defect: %s',
  async (_title, alter) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const wrong = await runSchedule(seed, alter);
      if (wrong.length > 0) {
        process.stdout.write(`found by seed ${seed}: ${wrong[0]}\n`);
        return;
      }
    }
    throw new Error('No schedule noticed it.');
  },
  1_200_000,
);
