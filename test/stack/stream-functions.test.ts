import { describe, expect, test } from '@jest/globals';
import { asText, EVERY_SETTING, LEAST, synthesize, withoutHash } from './synthesize.ts';

const prod = synthesize('prod');
const queues = prod.findResources('AWS::SQS::Queue');
const functions = prod.findResources('AWS::Lambda::Function');
const aliases = prod.findResources('AWS::Lambda::Alias');
const mappings = Object.entries(prod.findResources('AWS::Lambda::EventSourceMapping')).map(
  ([id, { Properties }]) => ({ name: withoutHash(id), ...Properties }),
);
const sourceOf = ({ EventSourceArn }: (typeof mappings)[number]): [string, string] =>
  EventSourceArn['Fn::GetAtt'];
const ofStreams = mappings.filter((mapping) => sourceOf(mapping)[1] === 'StreamArn');
const ofQueues = mappings.filter((mapping) => sourceOf(mapping)[0] in queues);
const patternsOf = (mapping: (typeof mappings)[number] | undefined) =>
  mapping?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));

test('every mapping follows a stream or reads a queue', () => {
  expect(ofStreams).not.toEqual([]);
  expect(ofStreams.length + ofQueues.length).toBe(mappings.length);
});

describe.each(ofQueues)('the queue of $name', (mapping) => {
  const queue = queues[sourceOf(mapping)[0]]?.Properties;

  test('has dead letters, which come after a longer outage too if only we can be at fault', () => {
    const { deadLetterTargetArn, maxReceiveCount } = queue.RedrivePolicy;
    const [deadLetters] = deadLetterTargetArn['Fn::GetAtt'];
    expect(queues[deadLetters]?.Properties).not.toHaveProperty('RedrivePolicy');
    // A provider or name server may fail for one lead alone.
    expect(maxReceiveCount).toBe(mapping.name.startsWith('Enrichment') ? 5 : 20);
  });

  test('hides a message for at least six times as long as the function may run', () => {
    const target = JSON.stringify(mapping.FunctionName);
    const alias = Object.keys(aliases).find((id) => target.includes(`"${id}"`)) ?? 'none';
    const functionId: string = aliases[alias]?.Properties.FunctionName.Ref;
    const { Timeout } = functions[functionId]?.Properties ?? {};
    expect(Timeout).toBeGreaterThan(0);
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });
});

describe.each(ofStreams)('the stream of $name', (mapping) => {
  test('is followed from its beginning, and retried without limit', () => {
    expect(mapping.StartingPosition).toBe('TRIM_HORIZON');
    // Absent is minus one: no limit. A destination for failures would keep metadata and go on.
    for (const limit of ['MaximumRetryAttempts', 'MaximumRecordAgeInSeconds', 'DestinationConfig']) {
      expect(mapping).not.toHaveProperty(limit);
    }
  });

  test('is followed lead by lead, or with a watermark', () => {
    expect([
      { BisectBatchOnFunctionError: true, FunctionResponseTypes: ['ReportBatchItemFailures'] },
      // Without a tumbling window no event names its shard, and a window rules out reports of single failures.
      // Halves of a batch would be retried in another order than the watermark expects.
      { BisectBatchOnFunctionError: false, ParallelizationFactor: 1, TumblingWindowInSeconds: 15 * 60 },
    ]).toContainEqual({
      BisectBatchOnFunctionError: mapping.BisectBatchOnFunctionError,
      FunctionResponseTypes: mapping.FunctionResponseTypes,
      TumblingWindowInSeconds: mapping.TumblingWindowInSeconds,
      ParallelizationFactor: mapping.TumblingWindowInSeconds && mapping.ParallelizationFactor,
    });
  });
});

test('the relay is given new leads, those that were opened, erased leads, reviews and enrichments, and nothing else', () => {
  expect(patternsOf(ofStreams.find(({ name }) => name.startsWith('EnrichmentRelay')))).toEqual([
    { eventName: ['INSERT'], dynamodb: { NewImage: { part: { S: ['lead', 'erased'] } } } },
    {
      eventName: ['MODIFY'],
      dynamodb: { NewImage: { part: { S: ['lead'] }, opened: { M: { at: { S: [{ exists: true }] } } } } },
    },
    {
      eventName: ['INSERT', 'MODIFY'],
      dynamodb: { NewImage: { part: { S: ['review', 'enrichment'] } } },
    },
  ]);
});

test('recorders are given new records, but no expired ones, each those of its own table', () => {
  const recorders = ofStreams.filter(({ name }) => name.startsWith('RejectionRecorder'));
  expect(recorders.map((it) => sourceOf(it)[0]).sort()).toEqual(['Rejections', 'UnauthenticatedRejections']);
  for (const recorder of recorders) {
    expect(patternsOf(recorder)).toEqual([
      { dynamodb: { NewImage: { requestId: { S: [{ exists: true }] } } } },
    ]);
  }
});

test('what is to be learned waits, so that reviews in a row are learned from once', () => {
  const delays = Object.values(queues).flatMap(({ Properties }) => Properties.DelaySeconds ?? []);
  expect(delays).toEqual([25]);
});

describe('in a new account, which allows 10 concurrent executions', () => {
  /** The most of each function that reads a queue. */
  const concurrencyIn = (of: typeof prod) =>
    Object.fromEntries(
      Object.entries(of.findResources('AWS::Lambda::EventSourceMapping')).flatMap(([id, { Properties }]) =>
        Properties.ScalingConfig === undefined
          ? []
          : [[withoutHash(id), Properties.ScalingConfig.MaximumConcurrency]],
      ),
    );

  test('each of them has the least that Lambda allows, unless a deployer raises its share', () => {
    const given = EVERY_SETTING;
    const byDefault = Object.fromEntries(ofQueues.map(({ name }) => [name, 2]));
    expect(concurrencyIn(prod)).toEqual(byDefault);
    expect(concurrencyIn(synthesize('prod', EVERY_SETTING))).toEqual({
      ...byDefault,
      EnrichmentEnrichQueue: Number(given.enrichmentConcurrency),
      SearchIndexLeadsQueue: Number(given.indexConcurrency),
      SendingDispatchQueue: Number(given.dispatchConcurrency),
      SendingSendQueue: Number(given.sendingConcurrency),
      SendingSendSlowQueue: Number(given.slowLaneConcurrency),
    });
  });

  // Lambda keeps 100 unreserved: where there are fewer, a reservation fails the deployment.
  test.each([
    ['as it is', {}],
    ['with every setting', EVERY_SETTING],
  ])('nothing is reserved or provisioned, %s', (_settings, context) => {
    const resources = JSON.stringify(synthesize('prod', context).toJSON().Resources);
    expect(resources).not.toMatch(/ReservedConcurrentExecutions|ProvisionedConcurren/);
  });
});

describe('the provider', () => {
  test('is off unless a deployer asks for it', () => {
    const variables = JSON.stringify(
      Object.values(functions).map(({ Properties }) => Properties.Environment),
    );
    expect(variables).not.toContain('PROVIDER');
    const policies = Object.entries(prod.findResources('AWS::IAM::Policy'));
    const reading = policies.filter(([, policy]) => JSON.stringify(policy).includes('secretsmanager:'));
    expect(reading.filter(([id]) => !id.startsWith('Browser'))).toEqual([]);
  });

  const statementsWith = (context: Record<string, unknown>) =>
    Object.entries(synthesize('prod', context).findResources('AWS::IAM::Policy'))
      .filter(([id]) => id.startsWith('EnrichmentEnrich'))
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);

  test('has one readable secret, and no other access to Secrets Manager', () => {
    const reading = statementsWith(LEAST).filter(({ Action }) => /secretsmanager|kms/.test(String(Action)));
    expect(reading).toEqual([
      {
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: EVERY_SETTING.enrichmentProviderSecretArn,
      },
    ]);
  });

  test('may have a secret with its own key, which decrypts only that secret', () => {
    const [decrypt, ...others] = statementsWith(EVERY_SETTING).filter(({ Action }) =>
      /kms/.test(String(Action)),
    );
    expect(others).toEqual([]);
    expect(decrypt).toMatchObject({
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: EVERY_SETTING.enrichmentProviderKeyArn,
    });
    const { 'kms:ViaService': service, ...context } = decrypt.Condition.StringEquals;
    expect(asText(service)).toBe(`secretsmanager.\${AWS::Region}.amazonaws.com`);
    expect(context).toEqual({
      'kms:EncryptionContext:SecretARN': EVERY_SETTING.enrichmentProviderSecretArn,
    });
  });
});
