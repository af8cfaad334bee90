import type { Request } from '@middy/core';
import type { Form } from '../model/configuration.ts';
import { type Lead, leadExpiry } from '../model/lead-item.ts';
import { TEST_MARK } from '../model/limits.ts';
import { Rejection } from '../model/reasons.ts';
import type { LastUse } from '../rejections/last-use-store.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import { scoreLead } from '../scoring/score-lead.ts';
import { applySenderList } from '../scoring/sender.ts';
import type { Leads } from './leads-store.ts';
import { hashBody, respondToReplay, type Telemetry } from './respond-and-report.ts';
import {
  acceptance,
  accepted,
  type HttpResponse,
  type ParsedSubmission,
  type ScoredSubmission,
  type Step,
} from './submission.ts';

/** The provider's payload had a surprising shape, so that the lead has only its body. */
const MAPPING_FAILED = { name: 'mapping_failed', weight: 0 };

interface ScoreOptions {
  readonly telemetry: Pick<Telemetry, 'defect'>;
}

/**
 * Scoring must never lose a lead: if it fails, the lead is stored with score 0 and a signal that says so, and the log
 * has the defect.
 */
export function scoreSubmission(
  { telemetry }: ScoreOptions,
  score: typeof scoreLead = scoreLead,
): Step<ScoredSubmission> {
  return {
    before: function scoreSubmissionBefore({ event: submission }: Request<ParsedSubmission>) {
      const { parsed, mapping } = submission;
      const { fields } = mapping?.fields ?? parsed;
      const { form, senders, learned } = submission.credential;
      try {
        const context = { sites: sitesOf(form), learned, formId: form.formId };
        const scored = score(fields, form.fields, context);
        const listed = applySenderList(scored, senders, fields, form.fields);
        submission.score = mapping?.failed
          ? { ...listed, signals: [...listed.signals, MAPPING_FAILED] }
          : listed;
      } catch (error) {
        telemetry.defect(error, submission);
        submission.score = {
          score: 0,
          grade: 'D',
          clean: false,
          signals: [{ name: 'scoring_failed', weight: 0 }],
        };
      }
    },
  };
}

/** `https://*.acme.com` allows the pages of acme.com. */
function sitesOf({ browser }: Form): string[] {
  return (
    browser?.origins.map((origin) =>
      origin.replace(/^https?:\/\/(?:\*\.|www\.)?/, '').replace(/:\d+$/, ''),
    ) ?? []
  );
}

interface StoreOptions {
  readonly leads: Leads;
  readonly lastUse: LastUse;
  readonly rejections: Rejections;
  readonly newLeadId: (nowMilliseconds: number) => string;
}

/** The last step: a lead is accepted only after it is stored. */
export function storeLead({ leads, lastUse, rejections, newLeadId }: StoreOptions) {
  const replay = respondToReplay(rejections);

  async function store(submission: ScoredSubmission): Promise<HttpResponse> {
    const lead = toLead(submission, newLeadId(submission.receivedAtMilliseconds));
    if (!submission.key) {
      await leads.store(lead, submission.signal);
      return accepted(submission, lead.leadId);
    }
    const outcome = await leads.storeOnce(
      {
        lead,
        key: submission.key,
        response: {
          ...acceptance(submission, lead.leadId),
          // Providers change bodies between attempts.
          ...(!submission.key.isDelivery && { bodySha256: hashBody(submission) }),
        },
        denialSeen: submission.key.denialSeen,
        nowMilliseconds: submission.receivedAtMilliseconds,
      },
      submission.signal,
    );
    if ('denied' in outcome) throw new Rejection(outcome.denied);
    if ('original' in outcome) return replay(submission, outcome.original);
    return accepted(submission, lead.leadId);
  }

  return async function storeLeadHandler(submission: ScoredSubmission): Promise<HttpResponse> {
    // At the same time as the write, so that it takes no extra time.
    const [response] = await Promise.all([
      store(submission),
      // A test proves nothing about the sender. Only the sender could mark it: strangers' bodies do not get this far.
      submission.parsed.fields[TEST_MARK] !== true &&
        lastUse.note(submission.credential, submission.receivedAtMilliseconds),
    ]);
    return response;
  };
}

function toLead(submission: ScoredSubmission, leadId: string): Lead {
  const { credential, receivedAtMilliseconds, mapping } = submission;
  const { retentionDays } = credential.form;
  return {
    leadId,
    workspaceId: credential.workspaceId,
    formId: credential.form.formId,
    surface: submission.surface,
    receivedAt: new Date(receivedAtMilliseconds).toISOString(),
    body: submission.parsed.text,
    ...(mapping?.fields && { fields: mapping.fields.text }),
    ...(mapping?.test && { test: true }),
    ...submission.score,
    ...(retentionDays !== undefined && { expiresAt: leadExpiry(receivedAtMilliseconds, retentionDays) }),
  };
}
