import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventOf, message, messageAbout, openWorkbench, type Workbench } from './workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());

describe('a batch', () => {
  test('goes on around the messages that nobody can read', async () => {
    const good = await Promise.all(Array.from({ length: 4 }, () => bench.putLead()));
    const bad = ['', '{', 'null', '{"leadId":42}', '{"leadId":"canary"}', '[]'].map((body) => message(body));
    const [first, second, third, fourth] = good.map((leadId) => messageAbout(leadId));
    const environment = bench.newEnvironment();
    const { batchItemFailures } = await environment.enrich(
      eventOf(
        ...bad.slice(0, 3),
        ...[first, second, third, fourth].flatMap((each) => each ?? []),
        ...bad.slice(3),
      ),
    );
    expect(batchItemFailures).toEqual(bad.map(({ messageId }) => ({ itemIdentifier: messageId })));
    for (const leadId of good) expect(await bench.enrichmentOf(leadId)).toMatchObject({ state: 'enriched' });
    expect(environment.codes().filter((code) => code === 'malformed')).toHaveLength(6);
    expect(environment.logText.join()).not.toContain('canary');
  });

  test('is not held up by one message that waits', async () => {
    bench.dns.behaviours.set('slow.com', 'silent');
    const [slow, quick] = await Promise.all([bench.putLead({ email: 'a@slow.com' }), bench.putLead()]);
    const messages = [messageAbout(slow), messageAbout(quick)] as const;
    const environment = bench.newEnvironment({ mailExchanges: bench.mailExchanges(2_000) });
    const { batchItemFailures } = await environment.enrich(eventOf(...messages));
    expect(batchItemFailures).toEqual([{ itemIdentifier: messages[0].messageId }]);
    expect(environment.codes()).toEqual(['enriched', 'retried']);
  });

  test('that is empty is no trouble', async () => {
    expect(await bench.newEnvironment().enrich(eventOf())).toEqual({ batchItemFailures: [] });
  });
});
