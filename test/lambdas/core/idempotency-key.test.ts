import { describe, expect, test } from '@jest/globals';
import { hashIdempotencyKey, idempotencyKey } from '#submission/idempotency-key.ts';
import { collectHeaders } from '#submission/request.ts';

const sent = (key: string) => idempotencyKey(collectHeaders({ 'X-Svc-Idempotency-Key': key }, null));

describe('the idempotency key', () => {
  test.each(['a', 'x'.repeat(255), '😀'.repeat(255)])('may have 1 to 255 characters', (key) => {
    expect(sent(key)).toBe(key);
  });

  test.each(['', '   ', 'x'.repeat(256), '😀'.repeat(256)])('is malformed as %j', (key) => {
    expect(() => sent(key)).toThrow('idempotency_key_malformed');
  });

  test('is absent without the header, and malformed when sent twice', () => {
    expect(idempotencyKey(collectHeaders({}, null))).toBeUndefined();
    const twice = collectHeaders(null, { 'x-svc-idempotency-key': ['a', 'a'] });
    expect(() => idempotencyKey(twice)).toThrow('idempotency_key_malformed');
  });

  test('is another record in another workspace', () => {
    expect(hashIdempotencyKey('ws_1', 'k')).not.toBe(hashIdempotencyKey('ws_2', 'k'));
    expect(hashIdempotencyKey('ws_1', 'k')).not.toContain('k1');
  });
});
