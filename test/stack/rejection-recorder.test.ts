import { describe, expect, test } from '@jest/globals';
import { ownFunctions, synthesise, withoutHash } from './synthesise.ts';
import { alarmsOf } from './template-alarms.ts';

const dev = synthesise('dev');
const mappings = Object.values(dev.findResources('AWS::Lambda::EventSourceMapping'));

describe.each([
  ['', 'Rejections', 'recorder'],
  ['UnauthenticatedRecorder', 'UnauthenticatedRejections', 'recorder-unauthenticated'],
])('the recorder %s', (name, table, alarmName) => {
  const id = Object.keys(ownFunctions(dev)).find(
    (each) => withoutHash(each) === `RejectionRecorder${name}Function`,
  );
  const mapping = mappings.find(({ Properties }) => Properties.FunctionName.Ref === id)?.Properties;

  test('follows its table from the beginning, one batch at a time, and retries for ever', () => {
    expect(mapping).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [table, 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 1_000,
      ParallelizationFactor: 1,
      // Halves would come again in another order than the watermark expects.
      BisectBatchOnFunctionError: false,
    });
    // Absent is minus one: no limit.
    for (const limit of ['MaximumRetryAttempts', 'MaximumRecordAgeInSeconds', 'DestinationConfig']) {
      expect(mapping).not.toHaveProperty(limit);
    }
  });

  test('has a tumbling window, without which no event names its shard', () => {
    expect(mapping?.TumblingWindowInSeconds).toBe(15 * 60);
    // With a window there can be no reports of single failures.
    expect(mapping).not.toHaveProperty('FunctionResponseTypes');
  });

  test('is given what is new, and not what expired', () => {
    const patterns = mapping?.FilterCriteria.Filters.map((it: { Pattern: string }) => JSON.parse(it.Pattern));
    expect(patterns).toEqual([{ dynamodb: { NewImage: { requestId: { S: [{ exists: true }] } } } }]);
  });

  test('has an alarm when it is a quarter of an hour behind', () => {
    const alarm = alarmsOf(dev).find(
      ({ AlarmName }) => AlarmName === `lead-ingest-dev-StreamBehind-${alarmName}`,
    );
    expect(alarm).toMatchObject({ Threshold: 15 * 60 * 1000, TreatMissingData: 'ignore' });
  });
});
