import { describe, expect, test } from '@jest/globals';
import {
  NOTHING_PASTED,
  partsOfCommand,
  readCommand,
  readParts,
} from '../../console/src/pages/delivery/debugger/pasted-request.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const parts = (given: object) => readParts({ ...NOTHING_PASTED, ...given });

describe('what is in the fields', () => {
  test('becomes the request, headers without their names and what is empty left out', () => {
    expect(parts({ timestamp: 'X-SVC-Timestamp: 17', signature: '', body: '{"a":"é"}\n' })).toEqual({
      request: { timestamp: '17', signature: undefined, body: bytes('{"a":"é"}\n') },
    });
  });

  test('may be base64 or a file', () => {
    expect(parts({ bodyKind: 'base64', body: '6Q==' }).request?.body).toEqual(Uint8Array.of(0xe9));
    const file = Uint8Array.of(0, 255);
    expect(parts({ bodyKind: 'file', file }).request?.body).toBe(file);
  });

  test.each([
    [{ bodyKind: 'base64', body: '{}' }, /not base64/],
    [{ bodyKind: 'file' }, /Choose the file/],
    [{ body: 'é'.repeat(65_537) }, /131,074 bytes/],
    [{ timestamp: 'x'.repeat(1_001) }, /wrong field/],
  ])('is refused where it cannot be one (%#)', (given, problem) => {
    expect(parts(given)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test('may be as large as a body that is just too large', () => {
    expect(parts({ body: 'x'.repeat(131_073) }).request).toBeDefined();
  });
});

describe('a command', () => {
  test('becomes the request', () => {
    expect(readCommand(`curl https://x.example -H 'X-SVC-Timestamp: 17' -d '{"a":1}'`)).toEqual({
      request: { timestamp: '17', signature: undefined, body: bytes('{"a":1}') },
    });
    expect(readCommand('curl https://x.example').request?.body).toEqual(bytes(''));
  });

  test.each([
    ['', /first/],
    ['wget https://x.example', /no curl command/],
    ['curl https://x.example -d @file', /not in the command/],
  ])('%j is not enough', (command, problem) => {
    expect(readCommand(command)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test('gives what it has to the fields', () => {
    expect(partsOfCommand(`curl https://x.example -H 'X-SVC-Signature: ab' -d "$BODY"`)).toEqual({
      ...{ timestamp: '', signature: 'ab', body: '$BODY', bodyKind: 'text', file: undefined },
    });
  });
});
