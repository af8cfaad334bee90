import { describe, expect, test } from '@jest/globals';
import { backgroundConcurrency, type Resources, sumOf } from '../../bench/scale/background.ts';
import { BACKGROUND_CONCURRENCY } from '../../bin/leadctl/doctor/account.ts';
import { IN_TURN_VARIABLE, type InTurnSource, lanesOf } from '../../lambdas/contract.ts';
import type { StageName } from '../../lib/stage.ts';
import { rolesOfFunctions, statementsOf } from './role-permissions.ts';
import { EVERY_SETTING, SMALL_ACCOUNT, synthesize } from './synthesize.ts';

const STAGES: readonly StageName[] = ['dev', 'prod'];
/** Of the 10 that a new account may have: the rest is for leads and for owners. */
const MOST = 6;

const backgroundOf = (stage: StageName, context = {}) =>
  backgroundConcurrency(synthesize(stage, context).toJSON().Resources as Resources);

describe.each(STAGES)('%s: what mappings and schedules can take at once', (stage) => {
  test('by default is what the doctor says', () => {
    expect(sumOf(backgroundOf(stage))).toBe(BACKGROUND_CONCURRENCY.usual);
  });

  test(`in a small account is ${MOST} at most`, () => {
    const sum = sumOf(backgroundOf(stage, SMALL_ACCOUNT));
    expect(sum).toBeLessThanOrEqual(MOST);
    expect(sum).toBe(BACKGROUND_CONCURRENCY.smallAccount);
  });

  test('a setting that raises the concurrency of one is counted', () => {
    const { enrichmentConcurrency, indexConcurrency, dispatchConcurrency } = EVERY_SETTING;
    const { sendingConcurrency, slowLaneConcurrency } = EVERY_SETTING;
    const raised = [enrichmentConcurrency, indexConcurrency, dispatchConcurrency, sendingConcurrency];
    const more = [...raised, slowLaneConcurrency].reduce((sum, each) => sum + Number(each) - 2, 0);
    expect(sumOf(backgroundOf(stage, EVERY_SETTING))).toBe(BACKGROUND_CONCURRENCY.usual + more);
  });
});

describe.each(STAGES)('%s: in a small account', (stage) => {
  const usual = synthesize(stage);
  const small = synthesize(stage, SMALL_ACCOUNT);
  const mappings = small.findResources('AWS::Lambda::EventSourceMapping');

  test('every mapping stays, with all it had, but is off: to switch back loses nothing', () => {
    const before = usual.findResources('AWS::Lambda::EventSourceMapping');
    const off = Object.entries(before).map(([id, resource]) => [
      id,
      { ...resource, Properties: { ...resource.Properties, Enabled: false } },
    ]);
    expect(mappings).toEqual(Object.fromEntries(off));
    expect(small.findResources('AWS::SQS::Queue')).toEqual(usual.findResources('AWS::SQS::Queue'));
  });

  test('every mapping has its turn, with its batches and its function', () => {
    const sources = sourcesIn(stage);
    expect(sources).toHaveLength(Object.keys(mappings).length);
    for (const { Properties } of Object.values(mappings)) {
      const names = JSON.stringify([Properties.FunctionName, Properties.EventSourceArn]);
      const source = sources.find(({ fn, queue, stream }) =>
        [fn.replace(/:live$/, ''), queue ?? stream].every((name) => names.includes(`"${name}"`)),
      );
      expect(source).toMatchObject({ batch: Properties.BatchSize });
    }
  });

  test('each lane ends within a minute: no function may run longer than the turn', () => {
    const lanes = lanesOf(sourcesIn(stage));
    expect(lanes.every((lane) => lane.length > 0)).toBe(true);
    for (const { seconds } of lanes.flat()) expect(seconds).toBeLessThanOrEqual(57);
    const [[, work] = []] = Object.entries(small.findResources('AWS::Lambda::Function')).filter(([id]) =>
      id.startsWith('InTurnWork'),
    );
    expect(work?.Properties.Timeout).toBeLessThan(60);
    small.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });

  test('it reads, invokes and remembers, and no more', () => {
    const role = rolesOfFunctions(small).find(({ name }) => name.startsWith('InTurn'));
    const statements = statementsOf(small, role?.roleId ?? '').filter(
      ({ Action }) => !/logs:|xray:/.test(String(Action)),
    );
    expect([...new Set(statements.flatMap(({ Action }) => Action))].sort()).toEqual([
      ...['DescribeStream', 'GetItem', 'GetRecords', 'GetShardIterator', 'PutItem'].map(
        (action) => `dynamodb:${action}`,
      ),
      'lambda:InvokeFunction',
      ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((action) => `sqs:${action}`),
    ]);
    const writing = statements.filter(({ Action }) => [Action].flat().includes('dynamodb:PutItem'));
    expect(writing).toMatchObject([
      { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['in-turn'] } } },
    ]);
  });
});

test('with every other setting, the stack still fits', () => {
  const { enrichmentConcurrency, indexConcurrency, dispatchConcurrency, ...others } = EVERY_SETTING;
  const { sendingConcurrency, slowLaneConcurrency, ...every } = others;
  const { Resources } = synthesize('prod', { ...every, ...SMALL_ACCOUNT }).toJSON();
  expect(Object.keys(Resources).length).toBeLessThanOrEqual(500);
});

/** With names instead of references, as the template's text has them. */
function sourcesIn(stage: StageName): InTurnSource[] {
  const functions = synthesize(stage, SMALL_ACCOUNT).findResources('AWS::Lambda::Function');
  const [variable] = Object.values(functions).flatMap(
    ({ Properties }) => Properties.Environment?.Variables?.[IN_TURN_VARIABLE] ?? [],
  );
  const [, parts] = (variable as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  const text = parts.map((part) => (typeof part === 'string' ? part : nameIn(part))).join('');
  return JSON.parse(text);
}

/** The logical id that a reference names, however it is taken apart. */
function nameIn(part: unknown): string {
  const [, id = ''] = /"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/.exec(JSON.stringify(part)) ?? [];
  return id;
}
