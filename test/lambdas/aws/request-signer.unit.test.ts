import { expect, test } from '@jest/globals';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { makeDocumentClient } from '#aws/dynamodb.ts';
import { makeRequestSigner } from '#aws/request-signer.ts';
import { Sha256 as OurSha256 } from '#aws/sdk-substitutes.ts';
import { anyText } from '../../any-text.ts';

/** Ours signs what SigV4 asks for; the SDK's own signs these too. */
const UNSIGNED = new Set(['amz-sdk-invocation-id', 'amz-sdk-request', 'content-length']);

const CREDENTIALS = fc.record({
  accessKeyId: fc.stringMatching(/^ASIA[A-Z0-9]{16}$/),
  secretAccessKey: fc.stringMatching(/^[A-Za-z0-9/+]{40}$/),
  sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9/+=]{100,300}$/), { nil: undefined }),
});

function requestWith(body: string): HttpRequest {
  return new HttpRequest({
    method: 'POST',
    path: '/',
    hostname: 'dynamodb.eu-west-1.amazonaws.com',
    body,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.PutItem',
      host: 'dynamodb.eu-west-1.amazonaws.com',
      'amz-sdk-invocation-id': 'a7d5c4de-5b1e-4e5b-8a0e-1c1f1d4f0d55',
      'amz-sdk-request': 'attempt=1; max=3',
      'content-length': String(Buffer.byteLength(body)),
    },
  });
}

const REGION = fc.constantFrom('eu-west-1', 'us-east-1', 'ap-southeast-2');
const DATE = fc.date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });

test('a request is signed as the signer of the SDK does', async () => {
  const signing = fc.asyncProperty(
    // The same signer signs again and again: on another day, and with other credentials.
    fc.array(fc.tuple(CREDENTIALS, anyText(), DATE), { minLength: 1, maxLength: 4 }),
    REGION,
    async (signings, region) => {
      let current = {} as (typeof signings)[number][0];
      const ours = makeRequestSigner(() => ({
        credentials: async () => current,
        region: async () => region,
      }));
      for (const [credentials, body, signingDate] of signings) {
        current = credentials;
        const theirs = new SignatureV4({
          credentials,
          region,
          service: 'dynamodb',
          applyChecksum: false,
          sha256: Sha256,
        });
        const expected = await theirs.sign(requestWith(body), { signingDate, unsignableHeaders: UNSIGNED });
        const signed = await ours.sign(requestWith(body), { signingDate });
        expect(signed.headers).toEqual(expected.headers);
      }
    },
  );
  await fc.assert(signing, { numRuns: 20 });
});

/** No local engine checks signatures: those of SQS and others depend on this. */
test('the checksum in bundles is that of the SDK, with every kind of key and without one', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 100 });
  const key = fc.oneof(
    fc.constant(undefined),
    fc.string({ minLength: 1 }),
    bytes,
    bytes.map((given) => given.slice().buffer),
  );
  const computing = fc.asyncProperty(key, anyText(), async (secret, text) => {
    const [ours, theirs] = [new OurSha256(secret), new Sha256(secret)];
    for (const checksum of [ours, theirs]) {
      checksum.update(Buffer.from('something else'));
      checksum.reset();
      checksum.update(Buffer.from(text));
    }
    expect(Buffer.from(await ours.digest())).toEqual(Buffer.from(await theirs.digest()));
  });
  await fc.assert(computing, { numRuns: 50 });
});

test('the client signs with it', async () => {
  const client = makeDocumentClient();
  const { signer } = client.config;
  client.destroy();
  expect(await signer()).toEqual({ sign: expect.any(Function) });
});

/** V8 copies a dictionary a hundred times as slowly, and every command copies it three times. */
test('the configuration of the client is written in one piece', () => {
  const client = makeDocumentClient();
  const copies = Object.getOwnPropertyDescriptors(client.config);
  client.destroy();
  expect(Object.entries(copies).filter(([, { get }]) => get)).toEqual([]);
});
