import { Rejection } from '../rejections/reasons.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import { answerReplay } from './answer-rejections.ts';
import type { Authenticator } from './authenticate.ts';
import type { Gate } from './gate-store.ts';
import { denialOn, hashIdempotencyKey, idempotencyKey, isLive } from './idempotency-key.ts';
import type { Idempotency } from './idempotency-store.ts';
import type { AuthenticatedSubmission, Step } from './submission.ts';

interface Options {
  readonly authenticator: Pick<Authenticator, 'reauthenticate'>;
  readonly idempotency: Idempotency;
  readonly rejections: Rejections;
  readonly gate: Pick<Gate, 'noteCounters'>;
}

/** Answers a repeated key with the original response, if the sender is still allowed to send. */
export function replayOriginal(options: Options): Step<AuthenticatedSubmission> {
  const { authenticator, idempotency, gate, rejections } = options;
  const replay = answerReplay(rejections);
  return {
    before: async function replayOriginalBefore({ event: submission }) {
      const key = idempotencyKey(submission.headers);
      if (key === undefined) return undefined;
      const { workspaceId, configVersion } = submission.credential;
      const hash = hashIdempotencyKey(workspaceId, key);
      const { record, workspace } = await idempotency.read(hash, workspaceId, submission.signal);
      if (workspace) gate.noteCounters(workspace);

      // The gate would catch a change, but a replay does not pass the gate.
      if (workspace && workspace.status !== 'active') throw new Rejection('workspace_suspended');
      if (workspace?.configVersion !== configVersion) {
        submission.credential = await authenticator.reauthenticate(submission);
      }

      if (record?.kind === 'accepted' && isLive(record, submission.receivedAtMilliseconds)) {
        return replay(submission, record);
      }
      submission.key = { hash, denialSeen: denialOn(record, submission.surface) };
      return undefined;
    },
  };
}
