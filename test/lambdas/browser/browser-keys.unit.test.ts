import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseKeys, rotateKeys } from '#browser/browser-keys.ts';
import { makeBrowserKeys, rotatedSecret } from '#browser/browser-keys-store.ts';
import { checkBrowserToken, mintBrowserToken, readBrowserToken } from '#browser/browser-token.ts';
import { makeRotateBrowserKeys, type RotationEvent } from '#browser/rotate-browser-keys/handler.ts';

const random = (letter: string) => letter.repeat(43);
const FIRST = JSON.stringify({ current: random('a') });
const CLAIMS = { slug: 'contact', nonce: '0'.repeat(32), origin: 'https://shop.example.com' };

/** Whether functions with one version of the secret accept what those with another one sign. */
function accepts(verifying: string, signing: string): boolean {
  const [key] = parseKeys(signing);
  const token = key && readBrowserToken(mintBrowserToken(CLAIMS, key, 0));
  return token !== undefined && checkBrowserToken(token, CLAIMS.origin, parseKeys(verifying), 1) === 'valid';
}

describe('keys', () => {
  const versions = [FIRST];
  for (const letter of 'bcdef') versions.push(rotateKeys(versions.at(-1) ?? '', random(letter)));

  test('are accepted before and after the rotation in which they begin to sign', () => {
    for (const [at, version] of versions.entries()) {
      const next = versions[at + 1] ?? version;
      expect([accepts(version, version), accepts(version, next), accepts(next, version)]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  test('sign for one rotation and are gone after two', () => {
    const signing = versions.map((version) => parseKeys(version)[0]?.keyId);
    expect(new Set(signing.slice(1)).size).toBe(versions.length - 1);
    expect(accepts(versions[4] ?? '', versions[1] ?? '')).toBe(false);
    expect(Math.max(...versions.map((version) => parseKeys(version).length))).toBe(3);
  });

  test.each([
    '',
    '{',
    'null',
    '{}',
    '"text"',
    '{"current":"short"}',
    `{"current":"${random('a')}","next":7}`,
  ])('are not read from %p, and the error does not quote it', (text) => {
    expect(() => parseKeys(text)).toThrow(/^The secret has no keys of the service$/);
  });
});

describe('in memory', () => {
  test('keys are kept for five minutes, and longer while the secret cannot be read', async () => {
    let at = 0;
    let text: string | undefined = FIRST;
    let reads = 0;
    const readKeys = makeBrowserKeys({
      now: () => at,
      readSecret: async () => {
        reads += 1;
        if (text === undefined) throw new Error('unavailable');
        return text;
      },
    });
    const [one, same] = await Promise.all([readKeys(), readKeys()]);
    expect([one, same, reads]).toEqual([parseKeys(FIRST), parseKeys(FIRST), 1]);
    text = rotateKeys(FIRST, random('b'));
    at = 5 * 60_000 - 1;
    expect(await readKeys()).toHaveLength(1);
    at += 1;
    expect(await readKeys()).toHaveLength(2);
    text = undefined;
    at += 5 * 60_000;
    expect(await readKeys()).toHaveLength(2);
    expect(await readKeys()).toHaveLength(2);
    expect(reads).toBe(3);
  });

  test('an environment without keys fails', async () => {
    const readKeys = makeBrowserKeys({ now: () => 0, readSecret: () => Promise.reject(new Error('gone')) });
    await expect(readKeys()).rejects.toThrow('gone');
  });
});

/** Secrets Manager as far as rotation needs it: versions and their stages. */
const versions = new Map([['v0', { text: FIRST, stages: ['AWSCURRENT'] }]]);
const puts: unknown[] = [];

function answer(target: string, input: Record<string, string>): object | undefined {
  if (target.endsWith('GetSecretValue')) {
    const found = [...versions].find(
      ([id, { stages }]) => stages.includes(input.VersionStage ?? '') && id === (input.VersionId ?? id),
    );
    return found && { SecretString: found[1].text };
  }
  if (target.endsWith('PutSecretValue')) {
    puts.push(input.ClientRequestToken);
    versions.set(input.ClientRequestToken ?? '', { text: input.SecretString ?? '', stages: ['AWSPENDING'] });
    return {};
  }
  if (target.endsWith('DescribeSecret')) {
    return { VersionIdsToStages: Object.fromEntries([...versions].map(([id, { stages }]) => [id, stages])) };
  }
  for (const [id, version] of versions) {
    if (id === input.RemoveFromVersionId) version.stages = ['AWSPREVIOUS'];
    if (id === input.MoveToVersionId) version.stages = ['AWSCURRENT', 'AWSPENDING'];
  }
  return {};
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const found = answer(String(request.headers['x-amz-target']), JSON.parse(Buffer.concat(chunks).toString()));
  response.writeHead(found ? 200 : 400, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(found ?? { __type: 'ResourceNotFoundException' }));
});

describe('the rotation', () => {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });

  test('makes a version with a new key and puts it into use, also if every step is repeated', async () => {
    const aws = { region: 'eu-west-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const rotate = makeRotateBrowserKeys({
      secretOf: (secretId) => rotatedSecret(secretId, { ...aws, endpoint }),
      newKey: () => random(String(versions.size)),
    });
    const steps: RotationEvent['Step'][] = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];
    for (const ClientRequestToken of ['v1', 'v2']) {
      for (const Step of steps.flatMap((step) => [step, step])) {
        await rotate({ SecretId: 'arn:of:secret', ClientRequestToken, Step });
      }
    }
    expect(puts).toEqual(['v1', 'v2']);
    expect([...versions].map(([id, { stages }]) => [id, stages[0]])).toEqual([
      ['v0', 'AWSPREVIOUS'],
      ['v1', 'AWSPREVIOUS'],
      ['v2', 'AWSCURRENT'],
    ]);
    const [v0 = '', v1 = '', v2 = ''] = [...versions.values()].map(({ text }) => text);
    expect(parseKeys(v2)).toHaveLength(3);
    expect([accepts(v1, v2), accepts(v2, v0)]).toEqual([true, true]);
    expect(parseKeys(v2)[0]).not.toEqual(parseKeys(v0)[0]);
  });

  test('does not put a version into use that cannot be read', async () => {
    const secret = {
      current: async () => FIRST,
      pending: async () => '{}',
      putPending: async () => undefined,
      makeCurrent: async () => undefined,
    };
    const rotate = makeRotateBrowserKeys({ secretOf: () => secret, newKey: () => random('x') });
    const event = { SecretId: 'arn:of:secret', ClientRequestToken: 'v9', Step: 'testSecret' } as const;
    await expect(rotate(event)).rejects.toThrow('no keys');
  });
});
