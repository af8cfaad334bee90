import type { Template } from 'aws-cdk-lib/assertions';
import { asText } from './synthesise.ts';

export interface MetricInUse {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export const alarmsOf = (template: Template) =>
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

export type AlarmProperties = ReturnType<typeof alarmsOf>[number];

/** Of an alarm on one metric, and of one on an expression. */
export function metricsOf(alarm: AlarmProperties): MetricInUse[] {
  const plain = alarm.MetricName === undefined ? [] : [alarm];
  const inExpression = (alarm.Metrics ?? []).flatMap((it: AlarmProperties) => it.MetricStat?.Metric ?? []);
  return [...plain, ...inExpression].map(({ Namespace, MetricName, Dimensions = [] }) => ({
    namespace: Namespace,
    name: MetricName,
    dimensions: Object.fromEntries(
      Dimensions.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, asText(Value)]),
    ),
  }));
}
