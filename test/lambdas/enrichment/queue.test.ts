import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { makeSecretReader } from '#aws/read-secret.ts';
import { eventOf, message, messageAbout, openSubmissionFixture } from './enrichment-fixture.ts';

const fixture = await openSubmissionFixture();
afterAll(fixture.close);

describe('a batch', () => {
  test('skips messages that cannot be read', async () => {
    const good = await Promise.all(Array.from({ length: 4 }, () => fixture.putLead()));
    const bad = ['', '{', 'null', '{"leadId":42}', '{"leadId":"canary"}', '[]'].map((body) => message(body));
    const [first, second, third, fourth] = good.map((leadId) => messageAbout(leadId));
    const environment = fixture.newEnvironment();
    const { batchItemFailures } = await environment.enrich(
      eventOf(
        ...bad.slice(0, 3),
        ...[first, second, third, fourth].flatMap((each) => each ?? []),
        ...bad.slice(3),
      ),
    );
    expect(batchItemFailures).toEqual(bad.map(({ messageId }) => ({ itemIdentifier: messageId })));
    for (const leadId of good)
      expect(await fixture.enrichmentOf(leadId)).toMatchObject({ state: 'enriched' });
    expect(environment.codes().filter((code) => code === 'malformed')).toHaveLength(6);
    expect(environment.logText.join()).not.toContain('canary');
  });

  test('is not delayed by one message that waits', async () => {
    fixture.dns.behaviours.set('slow.com', 'silent');
    const [slow, quick] = await Promise.all([fixture.putLead({ email: 'a@slow.com' }), fixture.putLead()]);
    const messages = [messageAbout(slow), messageAbout(quick)] as const;
    const environment = fixture.newEnvironment({ mailExchanges: fixture.mailExchanges(2_000) });
    const { batchItemFailures } = await environment.enrich(eventOf(...messages));
    expect(batchItemFailures).toEqual([{ itemIdentifier: messages[0].messageId }]);
    expect(environment.codes()).toEqual(['enriched', 'retried']);
    expect(environment.delays).toEqual([{ seconds: 3, receiptHandle: messages[0].receiptHandle }]);
  });
});

const aws = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

describe('the reader of the secret', () => {
  test('asks Secrets Manager for the ARN that it was given', async () => {
    const asked: unknown[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      asked.push(request.headers['x-amz-target'], JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end('{"SecretString":"key-1"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await makeSecretReader('arn:of:secret', { ...aws, endpoint })()).toBe('key-1');
    expect(asked).toEqual(['secretsmanager.GetSecretValue', { SecretId: 'arn:of:secret' }]);
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
});
