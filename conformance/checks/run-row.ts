import { Mismatch } from '../report/mismatch.ts';
import type { CheckedRow, Sent, SentRow, Trial } from '../row.ts';
import { expectReason } from './expect-reason.ts';
import { expectAccepted, expectEqual, expectRejected } from './expectations.ts';

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
