import { describe, expect, test } from '@jest/globals';
import { GENTLE_REQUESTS } from '../../conformance/main.ts';
import { type Burst, runBurst } from '../../conformance/world/burst.ts';
import { type HttpResponse, makeTurns } from '../../conformance/world/http.ts';
import type { Sender } from '../../conformance/world/submission.ts';
import type { Rejections, SharedWorkspace, ThrowAwayWorkspace } from '../../conformance/world/throw-away.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-01T12:00:00Z');
const REJECTIONS = {
  rateLimited: { counts: [{ surface: '1a' }, { surface: '1b' }] },
  rejected: { counts: [{}] },
} as unknown as Rejections;

/** A service with the limit, whose clock moves with each submission. */
function openService({ msPerRequest, startsAt }: { msPerRequest: number; startsAt: number }) {
  let now = startsAt;
  let atOnce = 0;
  const seen = { most: 0, perMinute: new Map<string, number>() };
  const inTurn = makeTurns(GENTLE_REQUESTS);
  const sender = (workspace: string) => ({ workspaceId: workspace }) as Sender;

  async function answer(surface: string, { workspaceId }: Sender): Promise<HttpResponse> {
    atOnce += 1;
    seen.most = Math.max(seen.most, atOnce);
    await Promise.resolve();
    now += msPerRequest;
    const counter = `${workspaceId} ${surface} ${Math.floor(now / MINUTE)}`;
    const count = (seen.perMinute.get(counter) ?? 0) + 1;
    seen.perMinute.set(counter, count);
    atOnce -= 1;
    const headers = { date: new Date(now).toUTCString() };
    return { status: count > 1_000 ? 200 : 202, headers, body: '' } as unknown as HttpResponse;
  }

  const run = (): Promise<Burst> =>
    runBurst({
      submit: (surface, from, { body } = {}) =>
        inTurn(() => (body === '[]' ? answer('bad', from) : answer(surface, from))),
      now: () => now,
      signal: new AbortController().signal,
      gentle: true,
      limited: {
        newSender: async () => sender('limited'),
        owner: { rejections: async () => REJECTIONS },
      } as unknown as ThrowAwayWorkspace,
      other: { sender: sender('other') } as unknown as SharedWorkspace,
    });
  return { run, seen };
}

describe('a burst with --gentle', () => {
  test('sends 1,000 on each surface within a minute, in turns, and then what is beyond the limit', async () => {
    const { run, seen } = openService({ msPerRequest: 5, startsAt: START + 1_500 });
    const { refused, beyond, freshToken, otherSurface, otherWorkspace } = await run();
    expect(refused).toEqual({ '1a': [], '1b': [] });
    for (const surface of ['1a', '1b'] as const)
      expect(beyond[surface].map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect([freshToken, otherSurface, otherWorkspace].map(({ status }) => status)).toEqual([200, 202, 202]);
    expect(seen.most).toBe(GENTLE_REQUESTS);
  });

  test('that does not fit into a minute, twice, cannot be tried and says so', async () => {
    // The first attempt ends just before a minute begins, for which the second one waits.
    const { run } = openService({ msPerRequest: 118_490 / 1_012, startsAt: START + 1_500 });
    await expect(run()).rejects.toThrow('1,000 submissions took longer than a minute with --gentle');
  });
});
