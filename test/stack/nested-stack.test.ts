import { describe, expect, test } from '@jest/globals';
import { alarmsOf } from './metrics-in-use.ts';
import { ownFunctions, synthesizeBoth } from './synthesize.ts';

describe('the nested stack', () => {
  const { main, nested } = synthesizeBoth('prod');
  const namesIn = (template: typeof main | undefined) =>
    template ? alarmsOf(template).map(({ AlarmName }) => AlarmName as string) : [];

  // Both exist while a deployment moves them, and CloudWatch has one of each name.
  test('has all alarms but those that roll back new code, under names that were never used outside of it', () => {
    const rollsBack = /^lead-ingest-prod-(FunctionErrors-[\w-]+|IngestInternalErrors|OwnerErrors)$/;
    expect(namesIn(main).filter((name) => !rollsBack.test(name))).toEqual([]);
    expect(namesIn(main)).toHaveLength(Object.keys(ownFunctions(main)).length + 2);
    expect(namesIn(nested).length).toBeGreaterThan(20);
    const begins = 'lead-ingest-prod-monitoring-';
    expect(namesIn(nested).filter((name) => !name.startsWith(begins))).toEqual([]);
  });

  test('keeps no data, and nothing in the stack around it refers to it', () => {
    const types = Object.values<{ Type: string }>(nested?.toJSON().Resources).map(({ Type }) => Type);
    expect([...new Set(types)].sort()).toEqual(['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard']);
    const [id = 'none'] = Object.keys(main.findResources('AWS::CloudFormation::Stack'));
    const { [id]: own, ...others } = main.toJSON().Resources;
    expect(own).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    expect(JSON.stringify(others)).not.toContain(`"${id}`);
  });
});
