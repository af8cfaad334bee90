import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { eventItem } from '../../lambdas/rejections/diagnostics-items.ts';
import { type RejectedSubmission, rejectionRecord } from '../../lambdas/rejections/rejection-record.ts';
import { countedMark } from '../../lambdas/stats/stats-items.ts';
import { acceptanceExpiry } from '../../lambdas/submission/idempotency-key.ts';
import { synthesize, withoutHash } from './synthesize.ts';

const TABLE = 'AWS::DynamoDB::GlobalTable';
const dev = synthesize('dev');
const prod = synthesize('prod');
const tables = dev.findResources(TABLE);

type Table = (typeof tables)[string];
type KeySchema = { AttributeName: string }[];

const keyOf = (schema: KeySchema) => schema.map(({ AttributeName }) => AttributeName).join(' + ');
const replicaOf = (table: Table) => table.Properties.Replicas[0];

function indexesOf({ Properties }: Table): string[] {
  return (Properties.GlobalSecondaryIndexes ?? []).map(
    (index: { IndexName: string; KeySchema: KeySchema; Projection: Record<string, unknown> }) => {
      const { ProjectionType, NonKeyAttributes } = index.Projection;
      const copied = Array.isArray(NonKeyAttributes) ? ` ${NonKeyAttributes.join(' ')}` : '';
      return `${index.IndexName}: ${keyOf(index.KeySchema)} (${ProjectionType}${copied})`;
    },
  );
}

/** The tables of the design, with their logical ids: a table whose id changes is lost. */
const DESIGN = [
  { id: 'Workspaces', key: 'workspaceId', recoverable: true },
  {
    id: 'Forms',
    key: 'slug + formId',
    recoverable: true,
    indexes: ['byWorkspace: workspaceId + formId (ALL)', 'byFormId: formId (KEYS_ONLY)'],
  },
  { id: 'FormSecrets', key: 'slug + formId', recoverable: true },
  {
    id: 'Tokens',
    key: 'tokenHash',
    recoverable: true,
    indexes: ['byWorkspace: workspaceId + tokenId (ALL)', 'byTokenId: tokenId (KEYS_ONLY)'],
  },
  {
    id: 'Leads',
    key: 'leadId + part',
    recoverable: true,
    stream: 'NEW_IMAGE',
    expires: 'expiresAt',
    indexes: ['byForm: formId + leadId (INCLUDE workspaceId surface score clean receivedAt)'],
  },
  { id: 'Idempotency', key: 'keyHash', recoverable: false, expires: 'expiresAt' },
  {
    id: 'Rejections',
    key: 'requestId + sk',
    recoverable: false,
    stream: 'NEW_IMAGE',
    expires: 'expiresAt',
  },
  {
    id: 'UnauthenticatedRejections',
    key: 'requestId + sk',
    recoverable: false,
    stream: 'NEW_IMAGE',
    expires: 'expiresAt',
  },
  { id: 'Diagnostics', key: 'workspaceId + sk', recoverable: false, expires: 'expiresAt' },
  { id: 'Stats', key: 'workspaceId + sk', recoverable: true, expires: 'expiresAt' },
  { id: 'Destinations', key: 'workspaceId + destinationId', recoverable: true },
  { id: 'Alerts', key: 'workspaceId + sk', recoverable: true, expires: 'expiresAt' },
  { id: 'Members', key: 'workspaceId + memberId', recoverable: true, expires: 'expiresAt' },
  {
    id: 'ApiKeys',
    key: 'keyHash',
    recoverable: true,
    indexes: ['byWorkspace: workspaceId + keyId (ALL)'],
  },
  { id: 'Activity', key: 'workspaceId + activityId', recoverable: true, expires: 'expiresAt' },
  { id: 'Recipients', key: 'recipientKey', recoverable: true, expires: 'expiresAt' },
  { id: 'DestinationSecrets', key: 'destinationId', recoverable: true },
  // Made again from the leads.
  { id: 'LeadIndex', key: 'bucket + leadId', recoverable: false, expires: 'expiresAt' },
  {
    id: 'Messages',
    key: 'destinationId + sk',
    // Restored, a message would be sent a second time.
    recoverable: false,
    expires: 'expiresAt',
    indexes: ['byDueTime: queue + dueAt (INCLUDE workspaceId leadId type formId createdAt nextAttemptAt)'],
  },
];

test('there are exactly these tables, with these logical ids in both stages', () => {
  const ids = DESIGN.map(({ id }) => id).sort();
  expect(Object.keys(tables).sort()).toEqual(ids);
  expect(Object.keys(prod.findResources(TABLE)).sort()).toEqual(ids);
  dev.resourceCountIs('AWS::DynamoDB::Table', 0);
});

test.each(DESIGN)('$id has its key, indexes, stream, recovery and expiry', (row) => {
  const table = tables[row.id] as Table;
  expect({
    key: keyOf(table.Properties.KeySchema),
    indexes: indexesOf(table),
    stream: table.Properties.StreamSpecification?.StreamViewType,
    recoverable: replicaOf(table).PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled ?? false,
    expires: table.Properties.TimeToLiveSpecification,
  }).toEqual({
    key: row.key,
    indexes: row.indexes ?? [],
    stream: row.stream,
    recoverable: row.recoverable,
    expires: row.expires === undefined ? undefined : { AttributeName: row.expires, Enabled: true },
  });
});

test('the same tables are backed up in dev and prod', () => {
  const recoverable = Object.entries(prod.findResources(TABLE))
    .filter(([, table]) => replicaOf(table).PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled)
    .map(([id]) => id);
  expect(recoverable.sort()).toEqual(
    DESIGN.filter((row) => row.recoverable)
      .map(({ id }) => id)
      .sort(),
  );
});

/** Keys that are numbers: in an index by time only. */
const NUMBER_KEYS: Readonly<Record<string, readonly string[]>> = { Messages: ['dueAt'] };

describe.each(Object.entries(tables))('%s', (id, { Properties, ...table }) => {
  test('is billed on demand', () => {
    expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
  });

  test('has only text keys, and a number only in an index by time', () => {
    const definitions: { AttributeName: string; AttributeType: string }[] = Properties.AttributeDefinitions;
    const numbers = definitions.filter(({ AttributeType }) => AttributeType === 'N');
    expect(numbers.map(({ AttributeName }) => AttributeName)).toEqual(NUMBER_KEYS[id] ?? []);
    expect(definitions.filter(({ AttributeType }) => !/^[NS]$/.test(AttributeType))).toEqual([]);
    const ownKeys = Properties.KeySchema.map((it: { AttributeName: string }) => it.AttributeName);
    expect(numbers.filter(({ AttributeName }) => ownKeys.includes(AttributeName))).toEqual([]);
  });

  test('is encrypted with a KMS key', () => {
    expect(Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
  });

  test('is only in the region of the stack', () => {
    expect(Properties.Replicas.map((it: { Region: unknown }) => it.Region)).toEqual([{ Ref: 'AWS::Region' }]);
  });

  test('may be deleted in dev', () => {
    expect(table).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
    expect(replicaOf({ Properties }).DeletionProtectionEnabled).toBe(false);
  });
});

test.each(Object.entries(prod.findResources(TABLE)))('%s is always kept in prod', (_id, table) => {
  expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  expect(replicaOf(table).DeletionProtectionEnabled).toBe(true);
});

test.each(Object.entries({ dev, prod }))(
  'writes of unauthenticated rejections are capped, and no other table, in %s',
  (_stage, template) => {
    const caps = Object.entries(template.findResources(TABLE)).flatMap(([id, { Properties }]) => {
      const settings = Properties.WriteOnDemandThroughputSettings;
      return settings === undefined ? [] : [[id, settings]];
    });
    expect(caps).toEqual([['UnauthenticatedRejections', { MaxWriteRequestUnits: 1_000 }]]);
  },
);

describe('the keys of the secrets', () => {
  const KEY_OF = { FormSecrets: 'FormSecretsKey', DestinationSecrets: 'DestinationSecretsKey' };

  test('encrypt one table each, and no other table', () => {
    const users = Object.entries(tables).flatMap(([id, table]) => {
      const { SSESpecification } = replicaOf(table);
      return SSESpecification === undefined ? [] : [[id, SSESpecification]];
    });
    const expected = Object.entries(KEY_OF).map(([id, key]) => [
      id,
      { KMSMasterKeyId: { 'Fn::GetAtt': [key, 'Arn'] } },
    ]);
    expect(users.sort()).toEqual(expected.sort());
  });

  test('are the only ones, and are rotated', () => {
    const keys = dev.findResources('AWS::KMS::Key');
    // The other one encrypts alarms on their way: no table.
    const ofTables = Object.keys(keys).filter((id) => id !== 'AlarmKey');
    expect(ofTables.sort()).toEqual(Object.values(KEY_OF).sort());
    for (const id of ofTables) expect(keys[id]?.Properties.EnableKeyRotation).toBe(true);
  });

  test('are kept in prod, because the tables need them', () => {
    const keys = prod.findResources('AWS::KMS::Key');
    for (const id of Object.values(KEY_OF)) {
      expect(keys[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });
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

  const stages = { dev: synthesize('dev'), prod: synthesize('prod') };

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
      const named = Object.keys(queues).map((id) => withoutHash(id));
      expect(named.sort()).toEqual([
        'EnrichmentDeadLetters',
        'EnrichmentQueue',
        'LearningQueue',
        'SearchQueue',
        'SendingDeadLetters',
        'SendingEvents',
        'SendingMessages',
        'SendingSlowMessages',
      ]);
      for (const { Properties } of Object.values(queues)) {
        expect(Properties.MessageRetentionPeriod).toBe(14 * 24 * HOUR_SECONDS);
      }
      const documented = row(
        'enrichment queue, events queue, messages queue, index queue, learning queue, dead letters',
      );
      expect(documented).toContain('14 days in each');
    });

    test.each([
      ['dev', 7],
      ['prod', 90],
    ] as const)('logs of %s stay', (stage, days) => {
      const groups = Object.values(stages[stage].findResources('AWS::Logs::LogGroup'));
      expect(new Set(groups.map(({ Properties }) => Properties.RetentionInDays))).toEqual(new Set([days]));
      for (const kind of ['function logs', 'access logs']) {
        expect(row(kind)).toContain('7 days in `dev`, 90 in `prod`');
      }
    });

    test.each(Object.entries(stages))('leads can be recovered, in %s', (_stage, template) => {
      const leads = template.findResources('AWS::DynamoDB::GlobalTable').Leads;
      expect(leads?.Properties.Replicas[0].PointInTimeRecoverySpecification).toEqual({
        PointInTimeRecoveryEnabled: true,
      });
      expect(row('point-in-time recovery')).toContain('35 days');
    });
  });
});
