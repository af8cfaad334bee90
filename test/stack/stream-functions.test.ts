import { describe, expect, test } from '@jest/globals';
import { alarmsOf } from './metrics-in-use.ts';
import {
  asText,
  EVERY_SETTING,
  ownFunctions,
  synthesize,
  synthesizeWhole,
  withoutHash,
} from './synthesize.ts';

describe('enrichment, sending and search', () => {
  const template = synthesize('prod');
  const mappings = Object.entries(template.findResources('AWS::Lambda::EventSourceMapping'));
  const queues = template.findResources('AWS::SQS::Queue');
  const functions = template.findResources('AWS::Lambda::Function');

  const mappingOf = (name: string) => mappings.find(([id]) => id.startsWith(name))?.[1].Properties;

  describe('every queue', () => {
    test.each(Object.entries(queues))('%s is encrypted and takes TLS only', (id, { Properties }) => {
      expect(Properties.SqsManagedSseEnabled).toBe(true);
      const policies = Object.values(template.findResources('AWS::SQS::QueuePolicy'));
      const own = policies.filter(({ Properties: policy }) => JSON.stringify(policy.Queues).includes(id));
      expect(JSON.stringify(own)).toContain('"aws:SecureTransport":"false"');
    });

    test('read by a function has a dead-letter queue: one for enrichment, one for all others', () => {
      const read = Object.entries(queues).flatMap(([id, { Properties }]) => {
        if (!Properties.RedrivePolicy) return [];
        const { deadLetterTargetArn, maxReceiveCount } = Properties.RedrivePolicy;
        const [deadLetters] = deadLetterTargetArn['Fn::GetAtt'];
        expect(queues).toHaveProperty(deadLetters);
        return [`${withoutHash(id)}: ${withoutHash(deadLetters)} after ${maxReceiveCount} receives`];
      });
      expect(read.sort()).toEqual([
        'EnrichmentQueue: EnrichmentDeadLetters after 5 receives',
        // Their messages fail only through our fault: 20 receives outlast a longer outage.
        'LearningQueue: SendingDeadLetters after 20 receives',
        'SearchQueue: SendingDeadLetters after 20 receives',
        'SendingEvents: SendingDeadLetters after 20 receives',
        'SendingMessages: SendingDeadLetters after 20 receives',
        'SendingSlowMessages: SendingDeadLetters after 20 receives',
      ]);
    });

    test.each([
      ['EnrichmentEnrich', 'EnrichmentQueue'],
      ['LearningRelearn', 'LearningQueue'],
      ['SearchIndexLeads', 'SearchQueue'],
      ['SendingDispatch', 'SendingEvents'],
      ['SendingSend', 'SendingMessages'],
    ])('of %s hides a message for at least six times as long as the function may run', (name, queue) => {
      const id: string = mappingOf(name)?.EventSourceArn['Fn::GetAtt'][0];
      expect(withoutHash(id)).toBe(queue);
      const [, fn] = Object.entries(functions).find(([each]) => each.startsWith(`${name}Function`)) ?? [];
      expect(fn?.Properties.Timeout).toBeGreaterThan(0);
      expect(queues[id]?.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * fn?.Properties.Timeout);
    });
  });

  describe('the relay', () => {
    const relay = mappingOf('EnrichmentRelay');

    test('follows the stream of leads from its beginning, and retries without limit', () => {
      expect(relay).toMatchObject({
        EventSourceArn: { 'Fn::GetAtt': ['Leads', 'StreamArn'] },
        StartingPosition: 'TRIM_HORIZON',
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
      // Absent is minus one: no limit. A destination for failures would keep metadata and go on.
      for (const limit of ['MaximumRetryAttempts', 'MaximumRecordAgeInSeconds', 'DestinationConfig']) {
        expect(relay).not.toHaveProperty(limit);
      }
    });

    test('is given new leads, those that were opened, erased leads, reviews and enrichments, and nothing else', () => {
      expect(
        relay?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
      ).toEqual([
        { eventName: ['INSERT'], dynamodb: { NewImage: { part: { S: ['lead', 'erased'] } } } },
        {
          eventName: ['MODIFY'],
          dynamodb: {
            NewImage: { part: { S: ['lead'] }, opened: { M: { at: { S: [{ exists: true }] } } } },
          },
        },
        {
          eventName: ['INSERT', 'MODIFY'],
          dynamodb: { NewImage: { part: { S: ['review', 'enrichment'] } } },
        },
      ]);
    });
  });

  test('the stats follow new leads, one batch of a shard at a time, and retry without limit', () => {
    const stats = mappingOf('LeadStats');
    const patterns = stats?.FilterCriteria.Filters.map((it: { Pattern: string }) => JSON.parse(it.Pattern));
    expect(patterns).toEqual([{ eventName: ['INSERT'], dynamodb: { NewImage: { part: { S: ['lead'] } } } }]);
    expect(stats).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      EventSourceArn: { 'Fn::GetAtt': ['Leads', 'StreamArn'] },
      ParallelizationFactor: 1,
      // Without it, no event names its shard.
      TumblingWindowInSeconds: 15 * 60,
      BisectBatchOnFunctionError: false,
    });
    for (const absent of ['MaximumRetryAttempts', 'MaximumRecordAgeInSeconds']) {
      expect(stats).not.toHaveProperty(absent);
    }
  });

  test('what is to be learned waits, so that reviews in a row are learned from once', () => {
    const delays = Object.values(queues).flatMap(({ Properties }) => Properties.DelaySeconds ?? []);
    expect(delays).toEqual([25]);
  });

  test.each(['EnrichmentEnrich', 'SendingDispatch', 'SendingSend', 'SearchIndexLeads', 'LearningRelearn'])(
    '%s reads its queue in batches, message by message',
    (name) => {
      expect(mappingOf(name)).toMatchObject({
        BatchSize: 10,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
    },
  );

  describe('in a new account, which allows 10 concurrent executions', () => {
    /** The most of each function that reads a queue. */
    const concurrencyIn = (of: typeof template) =>
      Object.fromEntries(
        Object.entries(of.findResources('AWS::Lambda::EventSourceMapping')).flatMap(([id, { Properties }]) =>
          Properties.ScalingConfig === undefined
            ? []
            : [[withoutHash(id), Properties.ScalingConfig.MaximumConcurrency]],
        ),
      );

    test('each of them has the least that Lambda allows, unless a deployer raises its share', () => {
      const given = EVERY_SETTING;
      const byDefault = {
        EnrichmentEnrichQueue: 2,
        LearningRelearnQueue: 2,
        SearchIndexLeadsQueue: 2,
        SendingDispatchQueue: 2,
        SendingSendQueue: 2,
        SendingSendSlowQueue: 2,
      };
      expect(concurrencyIn(template)).toEqual(byDefault);
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
      const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
      const reading = policies.filter(([, policy]) => JSON.stringify(policy).includes('secretsmanager:'));
      expect(reading.filter(([id]) => !id.startsWith('Browser'))).toEqual([]);
    });

    const { enrichmentProviderKeyArn, ...withoutKey } = EVERY_SETTING;
    const statementsWith = (context: Record<string, unknown>) =>
      Object.entries(synthesize('prod', context).findResources('AWS::IAM::Policy'))
        .filter(([id]) => id.startsWith('EnrichmentEnrich'))
        .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);

    test('has one readable secret, and no other access to Secrets Manager', () => {
      const reading = statementsWith(withoutKey).filter(({ Action }) =>
        /secretsmanager|kms/.test(String(Action)),
      );
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
        Resource: enrichmentProviderKeyArn,
      });
      const { 'kms:ViaService': service, ...context } = decrypt.Condition.StringEquals;
      expect(asText(service)).toBe(`secretsmanager.\${AWS::Region}.amazonaws.com`);
      expect(context).toEqual({
        'kms:EncryptionContext:SecretARN': EVERY_SETTING.enrichmentProviderSecretArn,
      });
    });
  });
});

describe('rejections', () => {
  const dev = synthesize('dev');
  const mappings = Object.values(dev.findResources('AWS::Lambda::EventSourceMapping'));

  describe.each([
    ['', 'Rejections', 'recorder'],
    ['UnauthenticatedRecorder', 'UnauthenticatedRejections', 'recorder-unauthenticated'],
  ])('the recorder %s', (name, table, alarmName) => {
    const id = Object.keys(ownFunctions(dev)).find(
      (each) => withoutHash(each) === `RejectionRecorder${name}Function`,
    );
    const mapping = mappings.find(({ Properties }) => Properties.FunctionName.Ref === id)?.Properties;

    test('follows its table from the beginning, one batch at a time, and retries without limit', () => {
      expect(mapping).toMatchObject({
        EventSourceArn: { 'Fn::GetAtt': [table, 'StreamArn'] },
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 1_000,
        ParallelizationFactor: 1,
        // Halves of a batch would be retried in another order than the watermark expects.
        BisectBatchOnFunctionError: false,
      });
      // Absent is minus one: no limit.
      for (const limit of ['MaximumRetryAttempts', 'MaximumRecordAgeInSeconds', 'DestinationConfig']) {
        expect(mapping).not.toHaveProperty(limit);
      }
    });

    test('has a tumbling window, without which no event names its shard', () => {
      expect(mapping?.TumblingWindowInSeconds).toBe(15 * 60);
      // A window rules out reports of single failures.
      expect(mapping).not.toHaveProperty('FunctionResponseTypes');
    });

    test('gets new records, but no expired ones', () => {
      const patterns = mapping?.FilterCriteria.Filters.map((it: { Pattern: string }) =>
        JSON.parse(it.Pattern),
      );
      expect(patterns).toEqual([{ dynamodb: { NewImage: { requestId: { S: [{ exists: true }] } } } }]);
    });

    test('has an alarm when it is a quarter of an hour behind', () => {
      const alarm = alarmsOf(synthesizeWhole('dev')).find(
        ({ AlarmName }) => AlarmName === `lead-ingest-dev-monitoring-StreamBehind-${alarmName}`,
      );
      expect(alarm).toMatchObject({ Threshold: 15 * 60 * 1000, TreatMissingData: 'notBreaching' });
    });
  });
});
