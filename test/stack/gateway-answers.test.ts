import { describe, expect, test } from '@jest/globals';
import { asText, synthesise } from './synthesise.ts';
import { METRIC_NAMES } from './written-lines.ts';

const prod = synthesise('prod');

describe("the filter of API Gateway's own answers", () => {
  const [filter] = Object.values(prod.findResources('AWS::Logs::MetricFilter'));
  const [stage] = Object.values(prod.findResources('AWS::ApiGateway::Stage'));

  test('reads the access log of the ingest API, by names that are in it', () => {
    const { LogGroupName, FilterPattern } = filter?.Properties ?? {};
    expect(asText(stage?.Properties.AccessLogSetting.DestinationArn)).toContain(asText(LogGroupName));
    const format = JSON.parse(stage?.Properties.AccessLogSetting.Format) as Record<string, string>;
    expect(format).toMatchObject({
      errorResponseType: '$context.error.responseType',
      // Lambda's own status, not that of the function's answer.
      integrationStatus: '$context.integrationStatus',
    });
    const used = [...FilterPattern.matchAll(/\$\.(\w+)/g)].map(([, name]) => name as string);
    expect(Object.keys(format)).toEqual(expect.arrayContaining([...new Set(used)]));
  });

  // CloudWatch compares text: `-` stands for no error, and a star for any end.
  test('counts every error but those of no concern, and every refusal of Lambda', () => {
    const errors = [
      '-',
      'MISSING_AUTHENTICATION_TOKEN',
      'RESOURCE_NOT_FOUND',
      'INVALID_SIGNATURE',
      'EXPIRED_TOKEN',
      'ACCESS_DENIED',
      'WAF_FILTERED',
    ].map((type) => `($.errorResponseType != "${type}")`);
    expect(filter?.Properties.FilterPattern).toBe(
      `{ (${errors.join(' && ')}) || ($.integrationStatus = "4*") || ($.integrationStatus = "5*") }`,
    );
  });

  test('makes a metric that the contract names', () => {
    const [transformation] = filter?.Properties.MetricTransformations ?? [];
    expect(transformation).toMatchObject({ MetricNamespace: 'LeadIngest/prod', MetricValue: '1' });
    expect(METRIC_NAMES).toContain(transformation.MetricName);
    expect(transformation.Dimensions).toBeUndefined();
  });
});
