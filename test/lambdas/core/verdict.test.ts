import { expect, test } from '@jest/globals';
import { judgeSignedRequest } from '#submission/signed-request.ts';

/**
 * An unknown slug was refused by an error of its own on top of the bad signature's, and took some microseconds longer
 * than a known one: making an error means taking down its stack.
 */
test('a refusal is no error until it is thrown', () => {
  const nothing = { forms: [], secrets: [] };
  const request = { headers: new Map(), body: Buffer.alloc(0), nowMilliseconds: 0 };
  const { rejection } = judgeSignedRequest(nothing, request);
  expect(rejection).toEqual({ reason: 'form_not_found', detail: {} });
  expect(rejection).not.toBeInstanceOf(Error);
});
