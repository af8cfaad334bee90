import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { eventItem } from '../../lambdas/rejections/diagnostics-items.ts';
import { type RejectedSubmission, rejectionRecord } from '../../lambdas/rejections/rejection-record.ts';
import { countedMark } from '../../lambdas/stats/stats-items.ts';
import { acceptanceExpiry } from '../../lambdas/submission/idempotency-key.ts';
import { synthesize, withoutHash } from './synthesize.ts';

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
        'SearchQueue',
        'SendingDeadLetters',
        'SendingEvents',
        'SendingMessages',
        'SendingSlowMessages',
      ]);
      for (const { Properties } of Object.values(queues)) {
        expect(Properties.MessageRetentionPeriod).toBe(14 * 24 * HOUR_SECONDS);
      }
      const documented = row('enrichment queue, events queue, messages queue, index queue, dead letters');
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
