import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { runLeadctl, startLeadctl } from './run-leadctl.ts';

/** With characters that a form's webhook secret cannot contain. */
const SECRET = `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`;
const BODY = JSON.stringify({
  type: 'lead.accepted',
  timestamp: '2026-11-15T08:00:00.000Z',
  data: {
    lead: {
      submissionId: '019a86b0-0000-7000-8000-000000000001',
      formId: 'form_1',
      receivedAt: '2026-11-15T08:00:00.000Z',
      score: 87,
      clean: true,
      signals: [{ name: 'business_email', weight: 10 }],
      fields: { name: 'Ada \u001b[2J', message: 'two\nlines', tags: ['a', 'b'] },
    },
  },
});

interface Options {
  readonly body?: string;
  readonly secret?: string;
  /** Added to the time of the signature. */
  readonly seconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(url: string, { body = BODY, secret = SECRET, seconds = 0, headers = {} }: Options = {}) {
  const at = new Date(Date.now() + seconds * 1000);
  const signed = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    ...headers,
  };
  const present = Object.entries(signed).filter(([, value]) => value !== '');
  return fetch(url, { method: 'POST', body, headers: Object.fromEntries(present) });
}

/** Resolves when the program has printed its address to the stream. */
async function start(
  args: readonly string[],
  stream: 'stdout' | 'stderr',
  surroundings: Parameters<typeof startLeadctl>[1] = { stdin: `${SECRET}\n` },
) {
  const { child, run } = startLeadctl(['listen', '--port', '0', ...args], surroundings);
  let printed = '';
  for await (const [chunk] of iterate(child[stream])) {
    printed += chunk;
    const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed)?.[0];
    if (url) return { child, run, url };
  }
  throw new Error(`no address: ${printed}`);
}

async function* iterate(stream: NodeJS.EventEmitter): AsyncGenerator<[string]> {
  for (;;) yield (await once(stream, 'data')) as [string];
}

test('takes the secret from the environment, too', async () => {
  const { child, run, url } = await start([], 'stdout', { environment: { LEADCTL_SIGNING_SECRET: SECRET } });
  expect((await send(url)).status).toBe(204);
  child.kill('SIGINT');
  expect(await run).toMatchObject({ exitCode: 0, stderr: '' });
});

const listener = await start([], 'stdout');
afterAll(() => {
  listener.child.kill('SIGKILL');
});

describe('listen', () => {
  test('returns 204 to a genuine message', async () => {
    const response = await send(listener.url);
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 204, body: '' });
  });

  test('accepts a message with a second signature, as during a rotation', async () => {
    const at = new Date();
    const signatures = [`whsec_${randomBytes(32).toString('base64')}`, SECRET].map((secret) =>
      new Webhook(secret).sign('msg_1', at, BODY),
    );
    const headers = {
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
    expect((await send(listener.url, { headers })).status).toBe(204);
  });

  const refused: [string, Options, RegExp][] = [
    [
      'signed with another secret',
      { secret: `whsec_${randomBytes(32).toString('base64')}` },
      /doesn't match/,
    ],
    ['with another id', { headers: { 'webhook-id': 'msg_2' } }, /doesn't match/],
    ['with another version of signature', { headers: { 'webhook-signature': 'v2,AAAA' } }, /doesn't match/],
    ['310 seconds old', { seconds: -310 }, /31\d seconds in the past; 300 are allowed/],
    ['310 seconds early', { seconds: 310 }, /seconds in the future; 300 are allowed/],
    ['with a time that is none', { headers: { 'webhook-timestamp': 'now' } }, /not a time in seconds/],
    [
      'without headers',
      { headers: { 'webhook-id': '', 'webhook-signature': '' } },
      /Missing headers: webhook-id, webhook-signature\./,
    ],
  ];

  test.each(refused)('returns 401 to a message %s, and says why', async (_, options, reason) => {
    const response = await send(listener.url, options);
    expect(response.status).toBe(401);
    expect(await response.text()).toMatch(reason);
  });

  test('accepts a message 298 seconds old', async () => {
    expect((await send(listener.url, { seconds: -298 })).status).toBe(204);
  });

  test('returns 400 to a signed body that is not a JSON object, and 405 to GET', async () => {
    expect((await send(listener.url, { body: '[]' })).status).toBe(400);
    expect((await fetch(listener.url)).status).toBe(405);
  });

  test('exits with 0 on Ctrl-C, after printing one block per message', async () => {
    listener.child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await listener.run;
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`\n  ${listener.url}\n`);
    const [block] = /^\S+Z {2}lead\.accepted\n(?: .*\n)+/m.exec(stdout) ?? [];
    expect(block?.split('\n').slice(1)).toEqual([
      '  Message ID     msg_1',
      '  Submission ID  019a86b0-0000-7000-8000-000000000001',
      '  Form           form_1',
      '  Received       2026-11-15T08:00:00.000Z',
      '  Score          87, clean',
      '  Signals        business_email',
      '  Fields',
      '    name: "Ada \\u001b[2J"',
      '    message: "two\\nlines"',
      '    tags: ["a","b"]',
      '',
    ]);
    expect(stderr).toContain("Refused: The signature doesn't match.");
    expect(stdout + stderr).not.toContain(SECRET);
  });
});

test('prints one JSON line per message with --json, the body as it was sent', async () => {
  const { child, run, url } = await start(['--json'], 'stderr');
  const body = '{"type":"lead.erased","data":{"lead":{"submissionId":"1","n":12345678901234567890}}}';
  expect((await send(url, { body })).status).toBe(204);
  expect((await send(url, { body: '{\n"type": "x"\n}' })).status).toBe(204);
  child.kill('SIGTERM');
  const { exitCode, stdout, stderr } = await run;
  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\{"messageId":"msg_1","receivedAt":"[^"]+","message":\{/);
  expect(lines[0]).toContain(`"message":${body}}`);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ messageId: 'msg_1', message: { type: 'x' } });
  expect(JSON.parse(stderr)).toEqual({ url });
});

describe('refuses to listen', () => {
  test('on a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stderr = `leadctl: Port ${port} is in use. Choose another with --port.\n`;
    const run = await runLeadctl(['listen', '--port', String(port)], { stdin: SECRET });
    expect(run).toEqual({ exitCode: 1, stdout: '', stderr });
    server.close();
  });

  const ELSEWHERE = /on standard input.*LEADCTL_SIGNING_SECRET/;
  const NOT_ONE = /Not a signing secret\./;
  const NO_PORT = /'--port <n>' argument '.*' is invalid/;

  test.each<[what: string, says: RegExp, stdin: string, ...options: string[]]>([
    ['with the secret as an option', ELSEWHERE, SECRET, '--secret', SECRET],
    ['with the secret behind an equals sign', ELSEWHERE, SECRET, `--secret=${SECRET}`],
    ['with an option for it', ELSEWHERE, SECRET, '--secret'],
    ['without a secret', /Standard input is empty/, ''],
    ["with a form's secret", /Pass the destination's signing secret/, `whsec_${'a1'.repeat(21)}a`],
    ['with another prefix', NOT_ONE, SECRET.replace('whsec_', 'whsec-')],
    ['with a secret that was cut', NOT_ONE, SECRET.slice(0, -1)],
    ['with a short secret', NOT_ONE, `whsec_${randomBytes(23).toString('base64')}`],
    ['with a token', NOT_ONE, 'ingt_srv_1'],
    ['on port 65536', NO_PORT, SECRET, '--port=65536'],
  ])('%s', async (_what, says, stdin, ...options) => {
    const run = await runLeadctl(['listen', '--port', '0', ...options], { stdin });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
    if (stdin !== '') expect(run.stderr).not.toContain(stdin);
  });
});
