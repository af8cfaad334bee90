import { expectEqual, expectRejected, expectStatus, expectThat } from '../checks/expectations.ts';
import { expectCounted, expectReason, runRow } from '../checks/run-row.ts';
import { BOTH, ONLY_1B, type Section, type Trial } from '../row.ts';
import { CAUSES } from './causes.ts';
import { OTHER_CONTENT_TYPE } from './endpoints.ts';

/** Of all rejections in this run, whatever the cause. */
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
  const got = found.map(({ status, count }) => `${count} × ${status}`).join(', ');
  expectThat(found.length === 0, `none in ${world.log.requests()} requests`, got);
}

/** An existing slug with the wrong signature, and an unknown slug. */
async function checkNothingRevealed({ world, sender, submit }: Trial): Promise<void> {
  const wrong = { secret: 'whsec_somebody_elses' };
  const [known, unknown] = [await submit(wrong), await submit({ ...wrong, slug: `${sender.slug}-0` })];
  expectRejected(known);
  expectRejected(unknown);
  const names = ({ headers }: typeof known) => Object.keys(headers).sort().join(', ');
  expectThat(names(known) === names(unknown), `the headers ${names(known)}`, names(unknown));
  world.rejectedOnly.add(sender);
}

/** Both of a sender that was authenticated and of one that was not. */
async function checkScoped(trial: Trial): Promise<void> {
  const { world, sender, surface, submit } = trial;
  await expectReason(trial, { body: '[]' }, { reason: 'body_not_object', authenticated: true });
  if (surface === '1b') {
    const wrong = { secret: 'whsec_somebody_elses' };
    await expectReason(trial, wrong, { reason: 'signature_mismatch', authenticated: false });
  }
  const { rejected, rateLimited } = await world.other.owner.rejections();
  const foreign = [...rejected.counts, ...rateLimited.counts].some(({ formId }) => formId === sender.formId);
  expectThat(!foreign, 'the owner of another workspace to read nothing of it', 'it in their Diagnostics');
  const requestId = String((await submit({ body: '[]' })).headers['x-amzn-requestid']);
  expectEqual(await world.other.owner.rejectionsWithId(requestId), [], 'what another owner finds by its id');
}

/** Both owners find it in their counts. Neither sees it as an event: it may be meant for the other. */
async function checkShared(trial: Trial): Promise<void> {
  await runRow(CAUSES.slugAmbiguousShared, trial);
  const { owner } = trial.world.other;
  await expectCounted(trial, owner, { reason: 'slug_ambiguous', formId: undefined });
  // No other row makes a slug of this workspace ambiguous.
  const path = '/diagnostics/events?reason=slug_ambiguous';
  const { events } = await owner.must<{ events: readonly unknown[] }>('GET', path);
  expectEqual(events.length, 0, 'the number of events about ambiguous slugs');
}

async function checkSeparated({ world }: Trial): Promise<void> {
  const { rateLimited, rejected } = (await world.burst()).rejections;
  const isLimit = ({ reason }: { reason: string }) => reason.startsWith('rate_limited_');
  const reasons = ({ counts }: typeof rejected) => [...new Set(counts.map(({ reason }) => reason))].sort();
  const limitsApart = rateLimited.counts.length > 0 && rateLimited.counts.every(isLimit);
  expectThat(limitsApart, 'only rate limits on one side', reasons(rateLimited));
  const othersApart = rejected.counts.length > 0 && !rejected.counts.some(isLimit);
  expectThat(othersApart, 'all other reasons on the other side', reasons(rejected));
}

async function checkRateLimited({ world, surface }: Trial): Promise<void> {
  const { beyond, rejections } = await world.burst();
  for (const response of beyond[surface]) expectRejected(response);
  const recorded = rejections.rateLimited.counts.filter((each) => each.surface === surface);
  expectThat(recorded.length > 0, 'the owner to read rate_limited_minute', 'nothing in Diagnostics');
}

const { slugAmbiguousShared, ...OWN_CAUSES } = CAUSES;

export const ERRORS: readonly Section[] = [
  {
    id: 'errors',
    title: 'Errors',
    rows: [
      {
        id: 'one-rejection',
        rule: '1. Status code and body do not differ by cause, in the whole run',
        when: 'last',
        check: checkOneRejection,
      },
      {
        id: 'nothing-revealed',
        rule: '1. The response does not reveal whether a slug exists',
        surfaces: ONLY_1B,
        check: checkNothingRevealed,
      },
      {
        id: 'no-other-status',
        rule: '2. No 401, 400 or 429 in the whole run',
        when: 'last',
        check: checkNoOtherStatus,
      },
      {
        id: 'scoped',
        rule: '4. Diagnostics show only the own workspace',
        surfaces: BOTH,
        check: checkScoped,
      },
      {
        id: 'limits-apart',
        rule: '4. Diagnostics separate rate limits from all other reasons',
        when: 'burst',
        check: checkSeparated,
      },
      { id: 'success', rule: '5. Success is 202 with the submission_id', surfaces: BOTH, expect: 'accepted' },
      {
        id: 'gone',
        rule: '6. The retired path returns 410 Gone',
        async check({ world, sender }) {
          expectStatus(await world.send({ path: `/api/ingest/${sender.slug}` }), 410);
        },
      },
    ],
  },
  {
    id: 'causes',
    title: 'Errors: causes, and their reason in Diagnostics',
    rows: [
      ...Object.values(OWN_CAUSES),
      {
        id: slugAmbiguousShared.id,
        rule: slugAmbiguousShared.rule,
        surfaces: ONLY_1B,
        note: slugAmbiguousShared.expect,
        arrange: slugAmbiguousShared.arrange,
        check: checkShared,
      },
      {
        id: 'rate-limited',
        rule: 'Rate limit exceeded',
        surfaces: BOTH,
        note: 'rate_limited_minute',
        when: 'burst',
        check: checkRateLimited,
      },
    ],
  },
  {
    id: 'unspecified-causes',
    title: 'Errors: causes that the specification does not name',
    rows: [
      { ...OTHER_CONTENT_TYPE, rule: 'No content type, or one that is not JSON' },
      {
        id: 'invalid-json',
        rule: 'A body that is not JSON',
        surfaces: BOTH,
        send: { body: '{"cut":' },
        expect: 'body_invalid_json',
      },
      {
        id: 'not-an-object',
        rule: 'JSON that is not an object',
        surfaces: BOTH,
        send: { body: '[{"email":"a"}]' },
        expect: 'body_not_object',
      },
      {
        id: 'content-encoding',
        rule: 'A content encoding',
        surfaces: BOTH,
        send: { headers: { 'Content-Encoding': 'br' } },
        expect: 'content_encoding_unsupported',
      },
    ],
  },
];
