import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Client } from '../../console/src/api/client.ts';
import { ApiProblem } from '../../console/src/api/problem.ts';
import type { Message } from '../../console/src/api/types.ts';
import { VERIFY_SNIPPET } from '../../console/src/pages/destinations/destinations.ts';
import { attemptWords, messageSubject } from '../../console/src/pages/destinations/messages/message-words.ts';
import { waitForAttempt } from '../../console/src/pages/destinations/wait-for-attempt.ts';
import { until } from '../until.ts';

/** The error codes that the send function records. */
const CODES = ['outbound-http.ts', 'send/send-message.ts', 'send/transmit.ts'].flatMap((file) => {
  const code = readFileSync(new URL(`../../lambdas/sending/${file}`, import.meta.url), 'utf8');
  return [...code.matchAll(/'([a-z]+(?:_[a-z]+)+|timeout|unreachable)'/g)].map(([, name]) => name as string);
});
/** Its other error names. */
const NO_ERRORS = ['too_early', 'destination_gone', 'form_test'];

describe('an attempt in plain words', () => {
  test.each([...new Set(CODES)].filter((code) => !NO_ERRORS.includes(code)))(
    'knows the error %s',
    (error) => {
      const { text, advice } = attemptWords({ error });
      expect(text).not.toMatch(/^Failed/);
      expect(advice).toMatch(/\.$/);
    },
  );
});

test('a message links to its lead while there is one, or to its alert', () => {
  const linkOf = (message: object) => messageSubject(message as Message).href;
  const about = { formId: 'form_1', submissionId: 'id' };
  expect(linkOf({ type: 'lead.accepted', ...about })).toBe('/forms/form_1/leads/id');
  expect(linkOf({ type: 'lead.erased', ...about })).toBeUndefined();
  expect(linkOf({ type: 'alert.closed', alertId: 'id' })).toBe('/alerts?alert=id');
});

describe('waiting for an attempt', () => {
  const queued = { messageId: 'msg_1' };
  const { signal } = new AbortController();
  const patience = { intervalMilliseconds: 1, mostMilliseconds: 1_000 };

  function clientWith(responses: (Message | ApiProblem)[]): Pick<Client, 'get'> {
    return {
      async get<T>() {
        const response = responses.shift();
        if (response === undefined || response instanceof ApiProblem)
          throw response ?? new ApiProblem(404, {});
        return response as T;
      },
    };
  }

  test('ends with the first record of the message', async () => {
    const delivered = { status: 'delivered' } as Message;
    const client = clientWith([new ApiProblem(404, {}), new ApiProblem(404, {}), delivered]);
    expect(await waitForAttempt(client, queued, signal, patience)).toBe(delivered);
  });

  test('ends when a message that was attempted before has another attempt', async () => {
    const before = { status: 'parked', attempts: [{ at: '1' }] } as Message;
    const after = { status: 'parked', attempts: [{ at: '1' }, { at: '2' }] } as Message;
    const waited = { ...queued, lastAttemptAt: '1' };
    expect(await waitForAttempt(clientWith([before, before, after]), waited, signal, patience)).toBe(after);
  });

  test('gives up after a while, and at once on an error', async () => {
    const soon = { ...patience, mostMilliseconds: 10 };
    expect(await waitForAttempt(clientWith([]), queued, signal, soon)).toBeUndefined();
    const broken = clientWith([new ApiProblem(500, {})]);
    await expect(waitForAttempt(broken, queued, signal, patience)).rejects.toMatchObject({ status: 500 });
  });

  test('stops when the owner leaves the page', async () => {
    await expect(waitForAttempt(clientWith([]), queued, AbortSignal.abort(), patience)).rejects.toThrow();
  });
});

test('the receiver that the page suggests accepts signed messages and no others', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const port = await freePort();
  const receiver = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, SIGNING_SECRET: secret, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  receiver.stdin.end(VERIFY_SNIPPET);
  try {
    const at = new Date();
    const body = JSON.stringify({ type: 'lead.accepted', data: { lead: { submissionId: 'lead-1' } } });
    const post = (sent: string) =>
      fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
        },
        body: sent,
      });
    const status = await until(
      async () => (await post(body).catch(() => undefined))?.status,
      (responded) => responded !== undefined,
    );
    expect(status).toBe(204);
    expect((await post(`${body} `)).status).toBe(401);
    expect(printed).toBe('msg_1 lead.accepted lead-1\n');
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
