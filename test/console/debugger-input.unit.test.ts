import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  compareBody,
  knownTimestamp,
  NO_PARTS,
  readCommand,
  readParts,
} from '../../console/src/pages/delivery/debugger/debug-request.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const parts = (given: object) => readParts({ ...NO_PARTS, timestamp: '17', signature: 'ab', ...given });
const FORM_URL = 'https://x.example/api/v1/ingest/contact';

describe('the entered values', () => {
  test('become the request, without header names and surrounding white space', () => {
    expect(parts({ timestamp: 'X-SVC-Timestamp: 17', signature: ' ab\n', body: ' {"a":"é"}\n' })).toEqual({
      asked: {
        request: { timestamp: '17', signature: 'ab', body: bytes(' {"a":"é"}\n') },
        obstacles: { refused: [] },
      },
    });
  });

  test('reports each missing field; an empty body is allowed', () => {
    expect(readParts(NO_PARTS)).toEqual({
      problems: {
        timestamp: expect.stringMatching(/^Enter the timestamp/),
        signature: expect.stringMatching(/^Enter the signature/),
      },
    });
    expect(parts({ timestamp: ' ' })).toMatchObject({ problems: { timestamp: expect.anything() } });
    expect(parts({ body: '' }).asked?.request.body).toEqual(bytes(''));
  });

  test('may be base64 or a file', () => {
    expect(parts({ bodyKind: 'base64', body: '6Q==' }).asked?.request.body).toEqual(Uint8Array.of(0xe9));
    const file = Uint8Array.of(0, 255);
    expect(parts({ bodyKind: 'file', file }).asked?.request.body).toBe(file);
  });

  test.each([
    [{ bodyKind: 'base64', body: '{}' }, 'body', /valid base64/],
    [{ bodyKind: 'file' }, 'body', /Choose a file/],
    [{ body: 'é'.repeat(65_537) }, 'body', /131,074 bytes/],
    [{ timestamp: 'x'.repeat(1_001) }, 'timestamp', /wrong field/],
  ])('are refused if invalid (%#)', (given, field, problem) => {
    expect(parts(given)).toEqual({ problems: { [field]: expect.stringMatching(problem) } });
  });

  test('may be as large as a body that is just too large', () => {
    expect(parts({ body: 'x'.repeat(131_073) }).asked).toBeDefined();
  });
});

describe('a command', () => {
  const read = (command: string) => readCommand(command, FORM_URL);

  test('becomes the request, even if it is incomplete', () => {
    expect(read(`curl ${FORM_URL} -H 'X-SVC-Timestamp:  17 ' --json '{"a":1}'`)).toEqual({
      asked: {
        request: { timestamp: '17', signature: undefined, body: bytes('{"a":1}') },
        obstacles: { refused: [] },
      },
    });
    expect(read('curl https://x.example').asked?.request.body).toEqual(bytes(''));
  });

  test('reports problems besides the signature', () => {
    const obstacles = (command: string) => read(command).asked?.obstacles;
    expect(obstacles(`curl ${FORM_URL}x --json x`)?.elsewhere).toBe(
      `The request goes to “${FORM_URL}x”. This form’s webhook URL is “${FORM_URL}”.`,
    );
    for (const same of ['/', '?x=1', '#a']) {
      expect(obstacles(`curl '${FORM_URL}${same}' --json x`)).toEqual({ refused: [] });
    }
    expect(obstacles('curl --json x')?.elsewhere).toBe('The command has no URL.');
    const withKey = (key: string) =>
      obstacles(`curl ${FORM_URL} --json x -H 'X-SVC-Idempotency-Key: ${key}'`)?.refused;
    expect(withKey('k'.repeat(256))).toEqual([
      'X-SVC-Idempotency-Key has 256 characters. The maximum is 255.',
    ]);
    expect(withKey('k'.repeat(255))).toEqual([]);
    expect(obstacles('curl x.example/api/v1/ingest/contact --json x')?.elsewhere).toBeDefined();
    expect(obstacles(`curl HTTPS://X.example:443/api/v1/ingest/contact --json x`)).toEqual({ refused: [] });
    // The text has no URL.
    expect(obstacles(`curl "$URL" --json x`)).toEqual({ refused: [] });
  });

  test.each([
    ['', /Paste a curl command/],
    ['wget https://x.example', /No curl command/],
    ['curl https://x.example -d @file', /doesn’t contain the whole request/],
  ])('%j is not enough', (command, problem) => {
    const refused = read(command);
    expect(refused).toEqual({ problems: { command: expect.stringMatching(problem) } });
    // An alert names what is missing.
    expect(JSON.stringify(refused)).not.toMatch(/above|below/);
  });
});

describe('what a rejection says about its request', () => {
  const AT = '2026-11-15T12:00:00.999Z';
  const SECONDS = Date.parse('2026-11-15T12:00:00Z') / 1000;

  test.each([
    [{ skewSeconds: 400 }, String(SECONDS - 400)],
    [{ skewSeconds: -400 }, String(SECONDS + 400)],
    // Milliseconds instead of seconds.
    [{ skewSeconds: SECONDS - SECONDS * 1000 }, String(SECONDS * 1000)],
    [{ skewSeconds: -1e15 }, undefined],
    [{ likelyMistake: 'body_trimmed' }, undefined],
    [{}, undefined],
  ])('the timestamp of %j is %s', (detail, timestamp) => {
    expect(knownTimestamp({ at: AT, detail })).toBe(timestamp);
  });

  test('whether a body is the one that was rejected', async () => {
    const sent = bytes('{"a":"é"}');
    const bodySha256 = createHash('sha256').update(sent).digest('hex');
    const rejected = { bodyBytes: sent.length, bodySha256 };
    expect(await compareBody(rejected, sent)).toMatchObject({ isSame: true });
    expect(await compareBody(rejected, bytes('{"a":"ü"}'))).toMatchObject({ isSame: false });
    expect(await compareBody(rejected, bytes('{}'))).toEqual({
      isSame: false,
      text: 'The rejected body had 10 bytes, this one has 2 bytes.',
    });
    expect(await compareBody({ bodyBytes: sent.length, bodySha256: undefined }, sent)).toBeUndefined();
  });
});
