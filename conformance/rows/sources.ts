import { randomUUID } from 'node:crypto';
import type { Reason } from '../../lambdas/model/reasons.ts';
import { describeResponse, expectEqual, expectSameResponse, expectThat } from '../checks/expectations.ts';
import { expectRecorded } from '../checks/run-row.ts';
import { type CheckedRow, DECIDED, type Section, type Trial } from '../row.ts';
import type { HttpResponse } from '../world/http.ts';
import { newSource, requireSources, type Source, sendWithToken, typeformPayload } from '../world/source.ts';
import { jsonOf, SAMPLE, type Sender, submissionId } from '../world/submission.ts';
import { listedLeads, type World } from '../world/world.ts';

const DAY_MS = 86_400_000;

/** Status, body and headers, without those that API Gateway and the connection add. */
function expectShape(response: HttpResponse, status: number, body: string): void {
  const matches = response.status === status && response.body === body;
  expectThat(matches, `${status} ${body}`, describeResponse(response));
  expectEqual(response.headers['content-type'], 'application/json', 'the content type');
}

const expectRefused = (response: HttpResponse) => expectShape(response, 503, '{"status":"rejected"}');
const expectIgnored = (response: HttpResponse) => expectShape(response, 200, '{"status":"ignored"}');

function expectStored(response: HttpResponse): string {
  const [, id = ''] = /^\{"submission_id":"([0-9a-f-]{36})"\}$/.exec(response.body) ?? [];
  expectShape(response, 200, JSON.stringify({ submission_id: id }));
  return id;
}

async function expectLead(world: World, sender: Sender, id: string, body: string): Promise<void> {
  const { rows } = await listedLeads(world, sender);
  expectEqual(
    rows.map(({ submissionId: each }) => each),
    [id],
    'the leads of the form',
  );
  const lead = await world.ownerOf(sender).lead(id);
  expectEqual([lead.surface, lead.body], ['1c', body], 'the lead');
}

type Provider = Parameters<typeof newSource>[1];

const on =
  (provider: Provider, check: (source: Source, trial: Trial) => Promise<void>) => async (trial: Trial) =>
    check(await newSource(trial.world, provider), trial);

/** Gets 503, and the owner reads why. */
const refuses = (
  reason: Reason,
  provider: Provider,
  deliver: (source: Source, trial: Trial) => Promise<HttpResponse>,
) =>
  on(provider, async (source, trial) => {
    trial.world.rejectedOnly.add(source.sender);
    await expectRecorded({ ...trial, sender: source.sender }, { surface: '1c', reason }, async () => {
      const response = await deliver(source, trial);
      expectRefused(response);
      return response;
    });
  });

/** Gets 200, is no lead, and the owner reads why. */
const givesUp = (reason: Reason, provider: Provider, bodyOf: (trial: Trial) => string) =>
  on(provider, async ({ deliver, sender }, trial) => {
    trial.world.rejectedOnly.add(sender);
    const body = bodyOf(trial);
    await expectRecorded({ ...trial, sender }, { surface: '1c', reason }, async () => {
      const response = await deliver({ body });
      expectIgnored(response);
      return response;
    });
    expectRefused(await deliver({ body, secret: 'another-secret-0123456789' }));
  });

const checkStored = on('github', async ({ deliver, sender }, { world }) => {
  await expectLead(world, sender, expectStored(await deliver()), SAMPLE);
});

const checkRepeat = on('github', async ({ deliver, sender }, { world }) => {
  const original = await deliver({ headers: { 'X-GitHub-Delivery': randomUUID() } });
  const id = expectStored(original);
  expectSameResponse(await deliver(), original);
  // Not signed, so that anybody could change it.
  expectSameResponse(await deliver({ headers: { 'X-GitHub-Delivery': randomUUID() } }), original);
  await expectLead(world, sender, id, SAMPLE);
});

const checkIgnored = on('typeform', async ({ deliver, sender }, { world }) => {
  world.rejectedOnly.add(sender);
  const response = await deliver({
    body: typeformPayload({ event: 'form_response_partial', submittedAt: world.now() }),
  });
  expectIgnored(response);
  const requestId = String(response.headers['x-amzn-requestid']);
  expectEqual(await world.ownerOf(sender).rejectionsWithId(requestId), [], 'the recorded rejections');
});

const checkInactive = refuses('form_inactive', 'github', async ({ deliver, sender }, { world }) => {
  await world.ownerOf(sender).must('PATCH', `/forms/${sender.formId}`, { active: false });
  return deliver();
});

async function checkSuspended({ world }: Trial): Promise<void> {
  requireSources(world);
  const sender = await world.suspended.newSender();
  await expectRecorded({ world, sender }, { surface: '1c', reason: 'workspace_suspended' }, async () => {
    const response = await sendWithToken(world, { Authorization: `Bearer ${sender.token}` });
    expectRefused(response);
    return response;
  });
}

async function checkGateway({ world }: Trial): Promise<void> {
  requireSources(world);
  for (const [method, path] of [
    ['GET', '/sources/v1'],
    ['DELETE', '/sources/v1/contact'],
    ['POST', '/sources/v2'],
    ['POST', '/sources/v1/a/b'],
  ] as const) {
    expectRefused(await world.sendToSources({ method, path }));
  }
}

/** Unknown slug, wrong signature and no route at all: nobody can tell them apart by more than the gateway's mark. */
const checkAlike = on('github', async ({ deliver }) => {
  const names = ({ headers }: HttpResponse) => Object.keys(headers).sort();
  const wrong = await deliver({ secret: 'another-secret-0123456789' });
  const unknown = await deliver({ slug: 'no-such-form-1234' });
  expectRefused(unknown);
  expectSameResponse(unknown, wrong);
  expectEqual(names(unknown), names(wrong), 'the headers');
});

async function checkToken({ world }: Trial): Promise<void> {
  const sender = await world.changing.newSender();
  const bearer = { Authorization: `Bearer ${sender.token}` };
  const key = { 'X-API-Key': sender.token };
  const id = expectStored(await sendWithToken(world, bearer));
  await expectLead(world, sender, id, SAMPLE);
  expectStored(await sendWithToken(world, key));
  const both = await sendWithToken(world, { ...bearer, ...key });
  expectRefused(both);
}

async function checkKeys({ world }: Trial): Promise<void> {
  const sender = await world.changing.newSender();
  const name = { 'X-SVC-Idempotency-Key': randomUUID() };
  const accepted = submissionId(await world.submit('1a', sender, { headers: name }));
  const withKey = () => sendWithToken(world, { Authorization: `Bearer ${sender.token}`, ...name });
  const original = await withKey();
  expectThat(expectStored(original) !== accepted, 'a lead of its own', 'the one of Surface 1a');
  expectSameResponse(await withKey(), original);
  const again = await world.submit('1a', sender, { headers: name });
  expectEqual(submissionId(again), accepted, 'the submission of Surface 1a');
}

const row = (id: string, rule: string, check: CheckedRow['check']): CheckedRow => ({
  id,
  rule,
  note: DECIDED,
  check,
});

const beyond = (id: string, rule: string, skipped: string) => ({ id, rule, note: DECIDED, skipped });

export const SOURCES: Section = {
  id: 'sources',
  title: 'Providers and tools (Surface 1c)',
  about:
    'The specification does not know this surface. Everything here is decided by this project: decision 38.',
  rows: [
    row(
      'stored',
      'A delivery with the signature of the chosen provider gets 200 and is stored as sent',
      checkStored,
    ),
    row(
      'repeat',
      'A repeat gets the same response, also with another unsigned ID, and makes no lead',
      checkRepeat,
    ),
    row(
      'ignored',
      'An event that was not chosen gets 200 ignored, without a lead or a rejection',
      checkIgnored,
    ),
    row(
      'not-json',
      'Authentic, but no JSON: 200 ignored, recorded',
      givesUp('body_invalid_json', 'github', () => '{'),
    ),
    row(
      'too-large',
      'Authentic, but over 128 KB: 200 ignored, recorded',
      givesUp('body_too_large', 'github', () => jsonOf(131_073)),
    ),
    row(
      'too-old',
      'Authentic, but its signed time in the body is older than 7 days: 200 ignored, recorded',
      givesUp('delivery_too_old', 'typeform', ({ world }) =>
        typeformPayload({ submittedAt: world.now() - 7 * DAY_MS - 60_000 }),
      ),
    ),
    row(
      'signature',
      'A wrong signature gets 503',
      refuses('signature_mismatch', 'github', ({ deliver }) =>
        deliver({ secret: 'another-secret-0123456789' }),
      ),
    ),
    row(
      'other-provider',
      'So does the signature of another provider',
      refuses('signature_missing', 'typeform', async ({ sender }, { world }) => {
        const { deliver } = await newSource(world, 'github');
        return deliver({ slug: sender.slug });
      }),
    ),
    row(
      'age',
      'So does a signature that is older than its provider allows',
      refuses('timestamp_out_of_window', 'stripe', ({ deliver }, { world }) =>
        deliver({ ageSeconds: 301 + world.clockDoubtSeconds }),
      ),
    ),
    row('inactive', 'So does an inactive form', checkInactive),
    row('suspended', 'So does a suspended workspace', checkSuspended),
    row('gateway', 'So does every other method and path', checkGateway),
    row('alike', 'An unknown slug gets the same response as a wrong signature', checkAlike),
    row('token', 'A server token works as Authorization or X-API-Key, and not as both', checkToken),
    row('keys', 'An idempotency key of Surface 1a means nothing here, and the other way round', checkKeys),
    beyond(
      'limits',
      'Above 1,000 per minute and 50,000 per day: 503',
      'tested with counters that are filled',
    ),
    beyond(
      'outage',
      'An outage and a throttled function: 503',
      'cannot be caused from outside; tested with faults',
    ),
    beyond('window', 'A repeat is recognized for 7 days', 'takes a week; tested with a clock that is moved'),
  ],
};
