import {
  BODY_TOO_LARGE,
  type Cause,
  FORM_INACTIVE,
  FORM_REMOVED,
  FORM_UNKNOWN,
  INVALID_TOKEN,
  KEY_EMPTY,
  KEY_TOO_LONG,
  MISSING_TOKEN,
  NO_SECRET,
  REVOKED_TOKEN,
  rowOf,
  SIGNATURE_MALFORMED,
  SIGNATURE_MISMATCH,
  SIGNATURE_MISSING,
  SLUG_AMBIGUOUS,
  SUSPENDED,
  TIMESTAMP_AHEAD,
  TIMESTAMP_BEHIND,
  TIMESTAMP_INVALID,
  TIMESTAMP_MISSING,
  WRONG_TOKEN_TYPE,
} from '../checks/causes.ts';
import { expectReason } from '../checks/expect-reason.ts';
import { expectAccepted, expectRejected, expectStatus, expectThat } from '../checks/expectations.ts';
import { BOTH, ONLY_1B, type Section, type Trial } from '../row.ts';

/** The specification says nothing of these; they are rejected like all others. */
const DECIDED_CAUSES: readonly Cause[] = [
  {
    cause: 'No content type',
    surfaces: BOTH,
    reason: 'content_type_unsupported',
    submission: () => ({ headers: { 'Content-Type': null } }),
  },
  {
    cause: 'A content type that is not JSON',
    surfaces: BOTH,
    reason: 'content_type_unsupported',
    submission: () => ({ headers: { 'Content-Type': 'text/plain' } }),
  },
  {
    cause: 'A body that is no JSON',
    surfaces: BOTH,
    reason: 'body_invalid_json',
    submission: () => ({ body: '{"cut":' }),
  },
  {
    cause: 'JSON that is no object',
    surfaces: BOTH,
    reason: 'body_not_object',
    submission: () => ({ body: '[{"email":"a"}]' }),
  },
  {
    cause: 'A content encoding',
    surfaces: BOTH,
    reason: 'content_encoding_unsupported',
    submission: () => ({ headers: { 'Content-Encoding': 'br' } }),
  },
];

/** Of everything that was rejected in this run, whatever the cause. */
async function checkOneRejection({ world }: Trial): Promise<void> {
  const rejections = world.log.seen().filter(({ status, retired }) => status === 200 && !retired);
  for (const property of ['rejection', 'headerNames'] as const) {
    const kinds = new Set(rejections.map((each) => each[property]));
    const what = property === 'rejection' ? 'one content type and body' : 'one set of headers';
    expectThat(kinds.size === 1, `${what} for every rejection`, [...kinds].join(' / '));
  }
}

async function checkNoOtherStatus({ world }: Trial): Promise<void> {
  const found = world.log.seen().filter(({ status }) => [400, 401, 429].includes(status));
  expectThat(
    found.length === 0,
    `none in ${world.log.requests()} requests`,
    found.map(({ status, count }) => `${count} × ${status}`).join(', '),
  );
}

/** A slug that exists, with the wrong signature, and one that does not. */
async function checkNothingTold({ world, sender, submit }: Trial): Promise<void> {
  const wrong = { secret: 'whsec_somebody_elses' };
  const [known, unknown] = [await submit(wrong), await submit({ ...wrong, slug: `${sender.slug}-0` })];
  expectRejected(known);
  expectRejected(unknown);
  const names = ({ headers }: typeof known) => Object.keys(headers).sort().join(', ');
  expectThat(names(known) === names(unknown), `the headers ${names(known)}`, names(unknown));
  world.rejectedOnly.add(sender);
}

async function checkScoped(trial: Trial): Promise<void> {
  const { world, sender } = trial;
  await expectReason(trial, { body: '[]' }, { reason: 'body_not_object', seenBy: 'owner' });
  const { rejected, rateLimited } = await world.other.owner.rejections();
  const foreign = [...rejected.counts, ...rateLimited.counts].some(({ formId }) => formId === sender.formId);
  expectThat(!foreign, "another workspace's owner to read nothing of it", 'it in their Diagnostics');
}

async function checkSeparated({ world }: Trial): Promise<void> {
  const { rateLimited, rejected } = (await world.burst()).rejections;
  const isLimit = ({ reason }: { reason: string }) => reason.startsWith('rate_limited_');
  const reasons = ({ counts }: typeof rejected) => [...new Set(counts.map(({ reason }) => reason))].sort();
  const limitsApart = rateLimited.counts.length > 0 && rateLimited.counts.every(isLimit);
  expectThat(limitsApart, 'rate limits on one side', reasons(rateLimited));
  const othersApart = rejected.counts.length > 0 && !rejected.counts.some(isLimit);
  expectThat(othersApart, 'all other reasons on the other side', reasons(rejected));
}

export const ERRORS: readonly Section[] = [
  {
    title: 'Errors',
    rows: [
      {
        rule: '1. Status code and body do not differ by cause, in the whole run',
        when: 'last',
        check: checkOneRejection,
      },
      {
        rule: '1. Nobody learns whether a slug exists',
        surfaces: ONLY_1B,
        check: checkNothingTold,
      },
      { rule: '2. No 401, 400 or 429 in the whole run', when: 'last', check: checkNoOtherStatus },
      {
        rule: '4. Diagnostics are scoped to the own workspace',
        surfaces: BOTH,
        check: checkScoped,
      },
      {
        rule: '4. Diagnostics separate rate limits from all other reasons',
        when: 'burst',
        check: checkSeparated,
      },
      {
        rule: '5. Success is 202 with the submission_id',
        surfaces: BOTH,
        async check({ submit }) {
          expectAccepted(await submit());
        },
      },
      {
        rule: '6. The retired path returns 410 Gone',
        async check({ world, sender }) {
          expectStatus(await world.send({ path: `/api/ingest/${sender.slug}` }), 410);
        },
      },
    ],
  },
  {
    title: 'Errors: causes, and what is read of them in Diagnostics',
    rows: [
      ...[MISSING_TOKEN, INVALID_TOKEN, REVOKED_TOKEN, WRONG_TOKEN_TYPE, SUSPENDED],
      ...[FORM_REMOVED, FORM_UNKNOWN, FORM_INACTIVE, SLUG_AMBIGUOUS, NO_SECRET],
      ...[TIMESTAMP_MISSING, TIMESTAMP_INVALID, TIMESTAMP_BEHIND, TIMESTAMP_AHEAD],
      ...[SIGNATURE_MISSING, SIGNATURE_MALFORMED, SIGNATURE_MISMATCH],
    ]
      .map((cause) => rowOf(cause))
      .concat(
        {
          rule: 'Rate limit exceeded',
          surfaces: BOTH,
          note: 'rate_limited_minute',
          when: 'burst',
          async check({ world, surface }) {
            const { beyond, rejections } = await world.burst();
            for (const answer of beyond[surface]) expectRejected(answer);
            const recorded = rejections.rateLimited.counts.filter((each) => each.surface === surface);
            expectThat(
              recorded.length > 0,
              'the owner to read rate_limited_minute',
              'nothing in Diagnostics',
            );
          },
        },
        ...[KEY_EMPTY, KEY_TOO_LONG, BODY_TOO_LARGE].map((cause) => rowOf(cause)),
      ),
  },
  {
    title: 'Errors: causes where the specification is silent',
    rows: DECIDED_CAUSES.map((cause) => rowOf(cause)),
  },
];
