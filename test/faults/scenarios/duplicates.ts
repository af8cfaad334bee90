import { type AnySurface, LIMITS, wholeSeconds } from '#model/limits.ts';
import { acceptanceExpiry } from '#submission/idempotency-key.ts';
import { POLL_MS, startBackground } from '../service/background.ts';
import { isDelivery, keyOn, windowOf } from '../service/sender.ts';
import type { World } from '../service/world.ts';
import { ADA, anyEraser, eraseLead, LATE_MS, PERSON, putLead } from './erasure.ts';
import { anyBody, presetCounters, putKeyRecord, type Scenario, sendAll } from './scenario.ts';

type Send = (client: string, key?: string) => Promise<unknown>;

/** Two to four concurrent senders with one key, then one more; sometimes also another sender. */
function sendDuplicates(world: World, send: Send, key: string, otherKey?: string): void {
  const { random } = world;
  world.program(async () => {
    const names = ['ada', 'bea', 'cid', 'dan'].slice(0, 2 + random.below(3));
    await Promise.all(names.map((name) => send(name, key)));
    await send('eve', key);
  });
  if (random.chance(0.5)) world.program(async () => void (await send('fay', otherKey)));
}

export const duplicates: Scenario = {
  name: 'duplicates',
  stage(world) {
    const { random } = world;
    const surfaces: AnySurface[] = random.chance(0.7) ? [random.pick(['1a', '1b', '1c'])] : ['1a', '1b'];
    const send: Send = (client, key) =>
      world.insist(client, { surface: random.pick(surfaces), body: anyBody(random), key });
    sendDuplicates(world, send, 'order-1');
  },
};

/** The same sender retries quickly; any response may be lost. */
export const retries: Scenario = {
  name: 'retries',
  stage(world) {
    const { random } = world;
    const surface = random.pick(['1a', '1b', '1c'] as const);
    const sender = (client: string, key: string) => async () => {
      for (let round = 0; round < 3; round += 1) {
        await world.insist(client, { surface, body: anyBody(random), key });
        if (random.chance(0.3)) await world.time.sleep(random.below(3_000));
      }
    };
    world.program(sender('ada', 'order-1'));
    world.program(sender('bea', random.pick(['order-1', 'order-2'])));
  },
};

function sometimesAtTheLimit(world: World, surface: AnySurface): void {
  if (!world.random.chance(0.3)) return;
  const minute = LIMITS.submissionsPerMinute - world.random.below(2);
  presetCounters(world, surface, world.time.now(), { minute });
}

/** A provider's delivery, and a tool with a token. */
const SOURCES = [
  ['1c', 'order-1'],
  ['1c', 'tool-1'],
] as const;

/** A provider or a tool repeats until it hears 200, sometimes at the limit; the key of a tool is also used on 1a. */
export const deliveries: Scenario = {
  name: 'deliveries',
  stage(world) {
    const { random } = world;
    const [surface, key] = random.pick(SOURCES);
    sometimesAtTheLimit(world, surface);
    const repeat = async (client: string) => {
      for (let tries = 0; tries < 4; tries += 1) {
        const response = await world.submit(client, { surface, body: anyBody(random), key });
        if (response?.statusCode === 200) return;
        await world.time.sleep(random.pick([0, 500, 61_000]));
      }
    };
    const clients = ['ada', 'bea', 'cid'].slice(0, 1 + random.below(3));
    sendAll(
      world,
      clients.map((client) => () => repeat(client)),
    );
    if (random.chance(0.5)) {
      sendAll(world, [() => world.insist('dan', { surface: '1a', body: anyBody(random), key })]);
    }
  },
};

const [NONCE, OTHER_NONCE] = ['0f'.repeat(16), 'a1'.repeat(16)] as const;

/** A page sends one nonce several times, each with a new token, sometimes at the limit; another page has its own. */
export const oneNonce: Scenario = {
  name: 'one-nonce',
  stage(world) {
    const { random } = world;
    sometimesAtTheLimit(world, '2');
    const send: Send = (client, key) => world.insist(client, { surface: '2', body: anyBody(random), key });
    sendDuplicates(world, send, NONCE, OTHER_NONCE);
  },
};

/** Leads arrive while relay, enrichment and stats process them. */
export const afterThe202: Scenario = {
  name: 'after-the-202',
  stage(world) {
    const { random } = world;
    const clients = ['ada', 'bea', 'cid', 'dan'];
    let sending = clients.length;
    for (const client of clients) {
      const key = random.chance(0.4) ? 'order-1' : undefined;
      const times = 1 + random.below(2);
      world.program(async () => {
        for (let time = 0; time < times; time += 1) {
          const surface = random.pick(['1a', '1c'] as const);
          await world.submit(client, { surface, body: anyBody(random), key });
        }
        sending -= 1;
      });
    }
    startBackground(world, () => sending === 0);
  },
};

/** DynamoDB deletes expired items at any time; here, while the key is being used again. */
function deleteOnceExpired(world: World, keyHash: string): void {
  world.program(async () => {
    await world.turn('ttl', 'deletes if expired');
    world.double.execute('DeleteItem', {
      TableName: 'idempotency',
      Key: { keyHash: { S: keyHash } },
      ConditionExpression: 'expiresAt <= :now',
      ExpressionAttributeValues: { ':now': { N: String(wholeSeconds(world.time.now())) } },
    });
  });
}

/** The key has a record that expired long ago or this second, and may be deleted at any moment. */
export const expiredRecord: Scenario = {
  name: 'expired-record',
  stage(world) {
    const { random } = world;
    const expiresAt = wholeSeconds(world.time.now()) - random.pick([0, 1, 3_600]);
    const record = random.chance(0.7)
      ? { kind: 'accepted', statusCode: 202, body: '{"submission_id":"of another day"}', expiresAt }
      : { kind: 'denied', denied1a: { denialId: 'old', reason: 'rate_limited_minute' }, expiresAt };
    const keyHash = putKeyRecord(world, 'order-1', record);
    if (random.chance(0.6)) deleteOnceExpired(world, keyHash);
    const surface = random.pick(['1a', '1b'] as const);
    const send = (client: string) => () =>
      world.insist(client, { surface, body: anyBody(random), key: 'order-1' });
    sendAll(world, [send('ada'), send('bea'), ...(random.chance(0.5) ? [send('cid')] : [])]);
  },
};

/**
 * A key is used, repeated within its 24 hours and around their end, and then makes a new lead. Or a delivery, with 7
 * days: the schedule's provider signs when it sends, and not when it happened.
 */
export const keyAfterADay: Scenario = {
  name: 'key-after-a-day',
  stage(world) {
    const { random } = world;
    const [surface, key] = random.pick([['1a', 'order-1'], ['1b', 'order-1'], ...SOURCES] as const);
    const window = windowOf({ surface, key: keyOn(surface, key) });
    const send = (client: string) => world.insist(client, { surface, body: anyBody(random), key });
    world.program(async () => {
      const firstAt = world.time.now();
      await send('ada');
      if (random.chance(0.5)) await send('bea');
      const end = random.chance(0.5)
        ? acceptanceExpiry(firstAt, isDelivery({ surface, key })) * 1_000
        : firstAt + window;
      await world.time.sleep(end - world.time.now() + random.pick([-2_000, -30, -5, 0, 5, 30, 2_000]));
      await Promise.all(['cid', 'dan', 'eve'].map(send));
      await send('fay');
    });
  },
};

const LEADS = 3;

/** Leads are erased while they are enriched and indexed. */
export const eraseWhileEnriching: Scenario = {
  name: 'erase-while-enriching',
  lateWithinMilliseconds: LATE_MS,
  stage(world) {
    const { random, time } = world;
    const leadIds = Array.from({ length: LEADS }, () => putLead(world, ADA));
    world.erasure = { person: PERSON, leadIds: new Set(leadIds), complete: true };
    const pollMs = random.pick([100, POLL_MS]);
    const untilListed = random.chance(0.5);
    let left = LEADS;
    for (const leadId of leadIds) {
      world.program(async () => {
        // The stream is polled every second, and so are the queues; or so often that one is soon told of the other.
        await time.sleep(random.below(4) * pollMs + random.below(30));
        const isListed = () =>
          world.double
            .table('leadIndex')
            .all()
            .some((item) => item.leadId?.S === leadId);
        const giveUpAt = time.now() + 4 * pollMs;
        if (untilListed) while (!isListed() && time.now() < giveUpAt) await time.sleep(pollMs / 50);
        await eraseLead(world, leadId, anyEraser(world));
        left -= 1;
      });
    }
    startBackground(world, () => left === 0, { indexes: true, pollMs });
  },
};
