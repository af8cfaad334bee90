import { acceptanceExpiry, wholeSeconds } from '#submission/idempotency-key.ts';
import { LIMITS } from '#submission/limits.ts';
import type { World } from '../service/world.ts';
import { anyBody, putKeyRecord, type Scenario, sendAll } from './scenario.ts';

/** DynamoDB deletes what has expired at some time or other; here, while the key is being used again. */
function deleteSometime(world: World, keyHash: string): void {
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

/** Under the key stands what expired long ago, or this very second, and may be deleted at any moment. */
export const expiredRecord: Scenario = {
  name: 'expired-record',
  stage(world) {
    const { random } = world;
    const expiresAt = wholeSeconds(world.time.now()) - random.pick([0, 1, 3_600]);
    const record = random.chance(0.7)
      ? { kind: 'accepted', statusCode: 202, body: '{"submission_id":"of another day"}', expiresAt }
      : { kind: 'denied', denied1a: { denialId: 'old', reason: 'rate_limited_minute' }, expiresAt };
    const keyHash = putKeyRecord(world, 'order-1', record);
    if (random.chance(0.6)) deleteSometime(world, keyHash);
    const surface = random.pick(['1a', '1b'] as const);
    const send = (client: string) => () =>
      world.insist(client, { surface, body: anyBody(random), key: 'order-1' });
    sendAll(world, [send('ada'), send('bea'), ...(random.chance(0.5) ? [send('cid')] : [])]);
  },
};

/** A key is used, repeated within its 24 hours and around their end, and then makes a new lead. */
export const keyAfterADay: Scenario = {
  name: 'key-after-a-day',
  stage(world) {
    const { random } = world;
    const surface = random.pick(['1a', '1b'] as const);
    const key = 'order-1';
    const send = (client: string) => world.insist(client, { surface, body: anyBody(random), key });
    world.program(async () => {
      const firstAt = world.time.now();
      await send('ada');
      if (random.chance(0.5)) await send('bea');
      const end = random.chance(0.5)
        ? acceptanceExpiry(firstAt) * 1_000
        : firstAt + LIMITS.idempotencySeconds * 1_000;
      await world.time.sleep(end - world.time.now() + random.pick([-2_000, -30, -5, 0, 5, 30, 2_000]));
      await Promise.all(['cid', 'dan', 'eve'].map(send));
      await send('fay');
    });
  },
};
