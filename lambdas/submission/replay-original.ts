import { Rejection } from '../rejections/reasons.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import { answerReplay } from './answer-rejections.ts';
import type { Gate } from './gate-store.ts';
import { denialOn, hashIdempotencyKey, idempotencyKey, isLive } from './idempotency-key.ts';
import type { Idempotency } from './idempotency-store.ts';
import { found, type Step } from './submission.ts';

interface Options {
  readonly idempotency: Idempotency;
  readonly rejections: Rejections;
  readonly gate: Pick<Gate, 'learn'>;
}

/** Answers a repeated key with the original response, if the sender may still send; else lets a new lead through. */
export function replayOriginal({ idempotency, gate, rejections }: Options): Step {
  const replay = answerReplay(rejections);
  return {
    before: async function replayOriginalBefore({ event: submission }) {
      const key = idempotencyKey(submission.headers);
      if (key === undefined) return undefined;
      const { credential, again } = found(submission.authenticated, 'authenticate');
      const hash = hashIdempotencyKey(credential.workspaceId, key);
      const { record, workspace } = await idempotency.read(hash, credential.workspaceId, submission.signal);
      if (workspace) gate.learn(workspace.workspaceId, Object.keys(workspace));

      // The gate would catch a change, but a replay does not pass the gate.
      if (workspace && workspace.status !== 'active') throw new Rejection('workspace_suspended');
      if (workspace?.configVersion !== credential.configVersion) submission.authenticated = await again();

      if (record?.kind === 'accepted' && isLive(record, submission.receivedAtMilliseconds)) {
        return replay(submission, record);
      }
      submission.key = { hash, denialSeen: denialOn(record, submission.surface) };
      return undefined;
    },
  };
}
