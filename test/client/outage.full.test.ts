import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { fromLeadItem } from '#model/lead-item.ts';
import { makeClient } from '../../packages/client/src/index.ts';
import { openContract } from '../contract/tenant.ts';
import { freePort, type StackProcess, startStack } from '../load/stack/start-stack.ts';
import { itemsOf } from '../load/stored.ts';
import { localStack } from '../local-stack.ts';
import { waitFor } from '../until.ts';

const LEADS_PER_ROUND = 60;
const LANES = 30;
/** Keeps all lanes together below 1,000 leads per minute and surface. */
const PAUSE_MILLISECONDS = 750;
/** Of the responses with which a lead was accepted, every tenth gets lost, as when the service is killed just then. */
const LOST_SHARE = 10;

const folder = mkdtempSync(join(tmpdir(), 'client-outage-'));
const realFetch = fetch;
let stack: StackProcess | undefined;
afterAll(async () => {
  globalThis.fetch = realFetch;
  await stack?.kill();
  rmSync(folder, { recursive: true, force: true });
});

test('sends through an outage without loss or duplicates', async () => {
  const args = ['--data', folder, '--port', String(await freePort())];
  stack = await startStack(args);
  const { ingestUrl: baseUrl, sourcesUrl } = localStack();
  const { client, newTenant } = openContract();
  const { slug, secret, token, formId } = await newTenant();
  client.destroy();

  const seen = { accepted: 0, lost: 0, rejected: 0, unreachable: 0 };
  globalThis.fetch = async (...request) => {
    const response = await realFetch(...request).catch((error) => {
      seen.unreachable += 1;
      throw error;
    });
    const text = await response.text();
    if (!text.includes('submission_id')) seen.rejected += 1;
    else {
      seen.accepted += 1;
      if (seen.accepted % LOST_SHARE === 0) {
        seen.lost += 1;
        throw new TypeError('fetch failed');
      }
    }
    return new Response(text, response);
  };

  const clients = [
    { baseUrl, token },
    { baseUrl, slug, secret },
    { sourcesUrl, token },
  ].map((each) => makeClient(each));
  /** By the number in the lead: the ID that the client got. */
  const sent = new Map<number, string>();
  let started = 0;
  let isEnough = false;
  const lanes = Array.from({ length: LANES }, async () => {
    while (!isEnough) {
      started += 1;
      const number = started;
      const sending = clients[number % clients.length]?.sendLead(
        { number },
        { idempotencyKey: `lead-${number}` },
      );
      sent.set(number, (await sending)?.submission_id ?? '');
      await sleep(PAUSE_MILLISECONDS);
    }
  });
  const done = Promise.all(lanes);
  // Reported below.
  done.catch(() => undefined);
  const more = async () => {
    const enough = sent.size + LEADS_PER_ROUND;
    await waitFor(() => sent.size >= enough);
  };

  await more();
  // The service runs, but its database doesn't: it rejects with 200.
  process.kill(stack.enginePid, 'SIGSTOP');
  await waitFor(() => seen.rejected > LANES / 2);
  process.kill(stack.enginePid, 'SIGCONT');
  await more();
  await stack.kill();
  stack = await startStack(args);
  await more();
  isEnough = true;
  await done;

  const { client: reader, tables } = openContract();
  const stored = (await itemsOf(reader, tables.leads))
    .filter(({ part, formId: of }) => part === 'lead' && of === formId)
    .map((item) => fromLeadItem(item))
    .map(({ body, leadId }) => [(JSON.parse(body) as { number: number }).number, leadId]);
  reader.destroy();
  expect(stored.sort(([one], [other]) => Number(one) - Number(other))).toEqual(
    [...sent].sort(([one], [other]) => one - other),
  );
  expect(sent.size).toBe(started);
  // Or the test would show nothing.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
}, 900_000);
