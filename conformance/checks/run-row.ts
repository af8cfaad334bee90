import { setTimeout as sleep } from 'node:timers/promises';
import type { AnySurface } from '../../lambdas/model/limits.ts';
import type { Reason } from '../../lambdas/model/reasons.ts';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-record.ts';
import type { CheckedRow, SeenBy, Sent, SentRow, Trial } from '../row.ts';
import { type HttpResponse, until } from '../world/http.ts';
import type { Submission } from '../world/submission.ts';
import type { Owner } from '../world/throw-away.ts';
import { expectAccepted, expectEqual, expectRejected, Mismatch } from './expectations.ts';

export interface ExpectedReason {
  readonly reason: Reason;
  readonly seenBy?: SeenBy;
  readonly authenticated?: boolean | undefined;
}

/** A busy table may drop a record, because the sender does not wait for it. */
const ATTEMPTS = 8;
/** Counts follow from a stream, after a cold start on AWS. */
const COUNTED_WITHIN_SECONDS = 30;
const PAUSE_MS = 250;

/** The sender gets the opaque rejection. Diagnostics has the reason, by request id at once and then in the counts. */
export async function expectReason(
  trial: Trial,
  submission: Submission,
  { reason, seenBy = 'owner', authenticated }: ExpectedReason,
): Promise<void> {
  const { world, sender } = trial;
  const others = new Set<string>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(PAUSE_MS, undefined, { signal: world.signal });
    const response = await trial.submit(submission);
    expectRejected(response);
    const found = await lookUp(trial, response, seenBy);
    if (found?.reason === reason) {
      const formId = seenBy === 'owner' ? sender.formId : undefined;
      expectEqual(found.formId, formId, 'the form of the record');
      if (authenticated !== undefined) expectEqual(found.authenticated, authenticated, 'authenticated');
      if (seenBy !== 'operator') await expectCounted(trial, world.ownerOf(sender), { reason, formId });
      return;
    }
    if (found !== undefined) others.add(found.reason);
  }
  throw new Mismatch(`the ${seenBy} to read ${reason}`, [...others].join(', ') || 'nothing in Diagnostics');
}

/** How long the record of one request is waited for, where another attempt follows. */
const RECORDED_WITHIN_SECONDS = 2;

/** Sends until the owner reads the reason in Diagnostics. `send` checks what the sender gets. */
export async function expectRecorded(
  { world, sender }: Pick<Trial, 'world' | 'sender'>,
  { surface, reason }: { readonly surface: AnySurface; readonly reason: Reason },
  send: () => Promise<HttpResponse>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const requestId = String((await send()).headers['x-amzn-requestid']);
    const event = await until(async () => (await world.ownerOf(sender).rejectionsWithId(requestId))[0], {
      seconds: RECORDED_WITHIN_SECONDS,
      signal: world.signal,
    });
    if (event === undefined) continue;
    expectEqual([event.surface, event.reason, event.formId], [surface, reason, sender.formId], 'the record');
    return;
  }
  throw new Mismatch(`the owner to read ${reason}`, 'nothing in Diagnostics');
}

async function lookUp(
  { world, sender, surface }: Trial,
  response: HttpResponse,
  seenBy: SeenBy,
): Promise<RejectionEvent | undefined> {
  const requestId = String(response.headers['x-amzn-requestid']);
  const [event] =
    seenBy === 'operator'
      ? await world.unattributed(requestId)
      : await world.ownerOf(sender).rejectionsWithId(requestId);
  return event?.surface === surface ? event : undefined;
}

export async function expectCounted(
  { world, surface }: Trial,
  owner: Owner,
  { reason, formId }: { readonly reason: Reason; readonly formId: string | undefined },
): Promise<void> {
  let reasons: string[] = [];
  const counted = await until(
    async () => {
      const { rejected } = await owner.rejections();
      const own = rejected.counts.filter((each) => each.surface === surface && each.formId === formId);
      reasons = own.map((each) => each.reason);
      return reasons.includes(reason) ? true : undefined;
    },
    { seconds: COUNTED_WITHIN_SECONDS, signal: world.signal },
  );
  if (!counted) {
    throw new Mismatch(`the owner to find ${reason} in the counts`, reasons.join(', ') || 'no counts');
  }
}

/** Throws if the rule of the row does not hold. */
export async function runRow(row: SentRow | CheckedRow, trial: Trial): Promise<void> {
  if ('check' in row) return row.check(trial);
  const { send = {}, examples } = row;
  if (!isAcceptance(row)) trial.world.rejectedOnly.add(trial.sender);
  if (!examples) return sendAndExpect(row, send, trial);
  for (const [name, example] of Object.entries(examples)) {
    await sendAndExpect(row, example, trial).catch((error: Error) => {
      throw error instanceof Mismatch ? error.about(name) : error;
    });
  }
}

function isAcceptance({ expect }: SentRow): boolean {
  return expect === 'accepted' || expect === 'stored';
}

async function sendAndExpect(row: SentRow, sent: Sent, trial: Trial): Promise<void> {
  const { expect, seenBy = 'owner', authenticated } = row;
  const submission = typeof sent === 'function' ? sent(trial) : sent;
  if (expect === 'rejected') return expectRejected(await trial.submit(submission));
  if (expect !== 'accepted' && expect !== 'stored') {
    return expectReason(trial, submission, { reason: expect, seenBy, authenticated });
  }
  const id = expectAccepted(await trial.submit(submission));
  if (expect === 'accepted') return;
  const { world, sender } = trial;
  expectEqual((await world.ownerOf(sender).lead(id)).body, submission.body, 'the stored body');
}
