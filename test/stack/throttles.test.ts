import { expect, test } from '@jest/globals';
import { splitThrottles } from '../../lib/throttles.ts';
import { synthesise } from './synthesise.ts';

/** Each method's own, as `POST /path: rate, burst`. */
function throttlesOf(template: ReturnType<typeof synthesise>): string[] {
  const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
  const settings: Record<string, unknown>[] = stage?.Properties.MethodSettings;
  return settings.map(
    ({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) =>
      `${HttpMethod} ${String(ResourcePath).replaceAll('~1', '/')}: ${ThrottlingRateLimit}, ${ThrottlingBurstLimit}`,
  );
}

test('each surface has a throttle of its own, and the retired path the one of the stage', () => {
  expect(throttlesOf(synthesise('prod'))).toEqual([
    '* /*: 100, 50',
    'POST //api/v1/ingest: 4000, 2000',
    'POST //api/v1/ingest/{slug}: 4000, 2000',
  ]);
});

test('the throttles follow what the stack may use of the quota', () => {
  const template = synthesise('prod', { apiRequestsPerSecond: '2500' });
  expect(throttlesOf(template)).toContain('POST //api/v1/ingest/{slug}: 1000, 500');
  template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
    DefaultRouteSettings: { ThrottlingRateLimit: 375, ThrottlingBurstLimit: 187 },
  });
});

test.each([100, 2_500, 10_000, 120_000])(
  'of %d requests per second, all floods together leave some for the other APIs of the account',
  (requestsPerSecond) => {
    const throttles = Object.values(splitThrottles(requestsPerSecond));
    const sum = (name: 'rateLimit' | 'burstLimit') =>
      throttles.reduce((total, each) => total + each[name], 0);
    expect(sum('rateLimit')).toBeLessThan(requestsPerSecond);
    expect(sum('burstLimit')).toBeLessThan(requestsPerSecond / 2);
    for (const { rateLimit, burstLimit } of throttles)
      expect(Math.min(rateLimit, burstLimit)).toBeGreaterThan(0);
  },
);
