import { describe, expect, test } from '@jest/globals';
import { collectHeaders } from '#submission/request.ts';
import { requireTimestamp } from '#submission/signed-request.ts';

const NOW_SECONDS = 1_800_000_000;
const check = (sent: string | undefined, nowMilliseconds = NOW_SECONDS * 1000) =>
  requireTimestamp(collectHeaders({ 'x-svc-TIMESTAMP': sent }, null), nowMilliseconds);

describe('the timestamp', () => {
  test.each([0, 300, -300, 299])('is accepted %i seconds from now, and given back as sent', (skew) => {
    expect(check(String(NOW_SECONDS - skew))).toBe(String(NOW_SECONDS - skew));
  });

  test('keeps leading zeros, since the text is what was signed', () => {
    expect(check(`00${NOW_SECONDS}`)).toBe(`00${NOW_SECONDS}`);
  });

  test.each([301, -301])('is out of the window %i seconds from now', (skew) => {
    expect(() => check(String(NOW_SECONDS - skew))).toThrow(
      expect.objectContaining({
        reason: 'timestamp_out_of_window',
        detail: { skewSeconds: skew },
      }) as unknown as Error,
    );
  });

  test.each([String(NOW_SECONDS * 1000), '9'.repeat(400), '0'])('is out of the window as %s', (sent) => {
    expect(() => check(sent)).toThrow('timestamp_out_of_window');
  });

  test('counts whole seconds of the server clock', () => {
    expect(() => check(String(NOW_SECONDS - 300), NOW_SECONDS * 1000 + 999)).not.toThrow();
  });

  test.each([
    [undefined, 'timestamp_missing'],
    ['', 'timestamp_missing'],
    ['now', 'timestamp_invalid'],
    ['-5', 'timestamp_invalid'],
    [`+${NOW_SECONDS}`, 'timestamp_invalid'],
    [`${NOW_SECONDS}.0`, 'timestamp_invalid'],
    ['1.8e9', 'timestamp_invalid'],
    ['0x6b49d200', 'timestamp_invalid'],
    ['١٨٠٠٠٠٠٠٠٠', 'timestamp_invalid'],
  ])('is refused as %j: %s', (sent, reason) => {
    expect(() => check(sent)).toThrow(reason);
  });

  test('is refused when sent twice', () => {
    const headers = collectHeaders(null, { 'x-svc-timestamp': [String(NOW_SECONDS), String(NOW_SECONDS)] });
    expect(() => requireTimestamp(headers, NOW_SECONDS * 1000)).toThrow('timestamp_invalid');
  });
});
