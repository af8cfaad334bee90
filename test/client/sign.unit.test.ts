import { expect, test } from '@jest/globals';
import { sign } from '../../packages/client/src/index.ts';
import { vectors } from '../signature-vectors.ts';

test.each(vectors)('signs the vector “$name”', (vector) => {
  const { start, repeat, times, end } = vector.bodyRule ?? { start: '', repeat: '', times: 0, end: '' };
  const body = vector.bodyBase64 && Buffer.from(vector.bodyBase64, 'base64');
  const signed = sign(vector.timestamp, body ?? start + repeat.repeat(times) + end, vector.secret);
  expect(signed).toBe(vector.expected);
  if (vector.bodyText !== undefined)
    expect(sign(vector.timestamp, vector.bodyText, vector.secret)).toBe(signed);
  // A mistake is in what was sent: its signature is another one, or its timestamp is wrong.
  const sent = vector.signature.replace(/^sha256=/, '').toLowerCase();
  expect(sent === signed).toBe(vector.valid || vector.reason?.startsWith('timestamp_') === true);
});
