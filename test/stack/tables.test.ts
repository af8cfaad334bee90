import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { eventItem } from '../../lambdas/rejections/diagnostics-items.ts';
import { type RejectedSubmission, rejectionRecord } from '../../lambdas/rejections/rejection-record.ts';
import { countedMark } from '../../lambdas/stats/stats-items.ts';
import { acceptanceExpiry } from '../../lambdas/submission/idempotency-key.ts';
import { ownFunctions, synthesize } from './synthesize.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const stages = { dev: synthesize('dev'), prod: synthesize('prod') };
const { dev } = stages;
const tables = dev.findResources(TABLE);

type Table = (typeof tables)[string];
const replicaOf = (table: Table) => table.Properties.Replicas[0];

/** Why they have no point-in-time recovery. Whoever adds a table that is not backed up has to say why. */
const NOT_RECOVERABLE: Readonly<Record<string, string>> = {
  Idempotency: 'remembers for a day',
  Rejections: 'a record of refusals, which Diagnostics shows',
  UnauthenticatedRejections: 'the same',
  Diagnostics: 'made from rejections, for 30 days',
  LeadIndex: 'made again from the leads',
  Messages: 'restored, a message would be sent a second time',
};

test.each(Object.entries(stages))(
  'in %s every table is backed up, except those with a reason',
  (_, template) => {
    const lost = Object.entries(template.findResources(TABLE)).filter(
      ([, table]) => !replicaOf(table).PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled,
    );
    expect(lost.map(([id]) => id).sort()).toEqual(Object.keys(NOT_RECOVERABLE).sort());
  },
);

/** What people have set up stays until somebody deletes it. */
const SET_UP = /^(Workspaces|Forms|FormSecrets|Tokens|Destinations|DestinationSecrets|ApiKeys)$/;

test.each(Object.entries(tables).filter(([id]) => !SET_UP.test(id)))(
  '%s: what it holds expires',
  (_id, table) => {
    expect(table.Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
  },
);

describe.each(Object.entries(tables))('%s', (_id, { Properties, ...table }) => {
  test('is billed on demand, encrypted with a KMS key, and only in the region of the stack', () => {
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    });
    expect(Properties.Replicas.map((it: { Region: unknown }) => it.Region)).toEqual([{ Ref: 'AWS::Region' }]);
  });

  test('streams what is new, if at all', () => {
    expect([undefined, { StreamViewType: 'NEW_IMAGE' }]).toContainEqual(Properties.StreamSpecification);
  });

  test('may be deleted in dev', () => {
    expect(table).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    expect(replicaOf({ Properties }).DeletionProtectionEnabled).toBe(false);
  });
});

test.each(Object.entries(stages))(
  'writes of unauthenticated rejections are capped, and no other table, in %s',
  (_stage, template) => {
    const caps = Object.entries(template.findResources(TABLE)).flatMap(([id, { Properties }]) => {
      const settings = Properties.WriteOnDemandThroughputSettings;
      return settings === undefined ? [] : [[id, settings]];
    });
    expect(caps).toEqual([['UnauthenticatedRejections', { MaxWriteRequestUnits: 1_000 }]]);
  },
);

test('each table of secrets has a key of its own, which is rotated and encrypts nothing else', () => {
  const users = Object.entries(tables).flatMap(([id, table]) => {
    const { SSESpecification } = replicaOf(table);
    return SSESpecification === undefined ? [] : [[id, SSESpecification.KMSMasterKeyId['Fn::GetAtt'][0]]];
  });
  expect(users.sort()).toEqual([
    ['DestinationSecrets', 'DestinationSecretsKey'],
    ['FormSecrets', 'FormSecretsKey'],
  ]);
  for (const { Properties } of Object.values(dev.findResources('AWS::KMS::Key'))) {
    expect(Properties.EnableKeyRotation).toBe(true);
  }
});

describe('retention', () => {
  /** A row of the document by its first cell. */
  function row(start: string): string {
    const lines = readFileSync('docs/erasure.md', 'utf8').split('\n');
    return lines.find((line) => line.startsWith(`| ${start}`)) ?? '';
  }

  const NOW = Date.parse('2026-11-15T12:00:00Z');
  const HOUR_SECONDS = 60 * 60;
  const since = (seconds: number) => seconds - NOW / 1000;

  function recordOf(authenticated: boolean) {
    const rejected: RejectedSubmission = {
      atMilliseconds: NOW,
      requestId: 'r',
      surface: '1a',
      reason: 'body_not_object',
      detail: {},
      bodyBytes: 0,
    };
    return rejectionRecord(rejected, { workspaceIds: ['ws'], authenticated }, 'x');
  }

  describe('docs/erasure.md says for how long', () => {
    test('a key remembers', () => {
      expect(since(acceptanceExpiry(NOW))).toBe(24 * HOUR_SECONDS);
      expect(row('Idempotency')).toContain('24 hours');
    });

    test('the mark of a counted lead stays', () => {
      expect(since(countedMark({ workspaceId: 'ws', leadId: 'id' }, NOW).expiresAt)).toBe(48 * HOUR_SECONDS);
      expect(row('Stats')).toContain('48 hours');
    });

    test.each([
      ['authenticated', 'Rejections', 30],
      ['unauthenticated', 'UnauthenticatedRejections', 1],
    ] as const)('a rejection of an %s sender stays', (sender, table, days) => {
      expect(since(recordOf(sender === 'authenticated').expiresAt)).toBe(days * 24 * HOUR_SECONDS);
      expect(row(table)).toContain(`| ${days === 1 ? '1 day' : `${days} days`}`);
    });

    test.each([true, false])('an event of Diagnostics stays, authenticated: %s', (authenticated) => {
      expect(since(eventItem(recordOf(authenticated))?.expiresAt ?? 0)).toBe(30 * 24 * HOUR_SECONDS);
      expect(row('Diagnostics')).toContain('| 30 days');
    });

    test.each(Object.entries(stages))('ids wait in the queues, in %s', (_stage, template) => {
      const queues = template.findResources('AWS::SQS::Queue');
      expect(Object.keys(queues)).not.toEqual([]);
      for (const { Properties } of Object.values(queues)) {
        expect(Properties.MessageRetentionPeriod).toBe(14 * 24 * HOUR_SECONDS);
      }
      const documented = row(
        'enrichment queue, events queue, messages queue, index queue, learning queue, dead letters',
      );
      expect(documented).toContain('14 days in each');
    });

    test.each([
      ['dev', 7, 'Delete'],
      ['prod', 90, 'Retain'],
    ] as const)('logs of %s stay', (stage, days, policy) => {
      const groups = Object.values(stages[stage].findResources('AWS::Logs::LogGroup'));
      expect(groups.length).toBeGreaterThan(Object.keys(ownFunctions(stages[stage])).length);
      for (const group of groups) {
        expect(group).toMatchObject({ DeletionPolicy: policy, Properties: { RetentionInDays: days } });
      }
      for (const kind of ['function logs', 'access logs']) {
        expect(row(kind)).toContain('7 days in `dev`, 90 in `prod`');
      }
    });

    test('leads can be recovered', () => {
      expect(NOT_RECOVERABLE).not.toHaveProperty('Leads');
      expect(row('point-in-time recovery')).toContain('35 days');
    });
  });
});
