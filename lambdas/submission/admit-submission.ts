import { Rejection } from '../model/reasons.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import type { Authenticator, IdempotencyKeyOf } from './authenticate.ts';
import type { Gate } from './gate-store.ts';
import { denialOn, hashIdempotencyKey, idempotencyKey, isLive } from './idempotency-key.ts';
import type { Idempotency } from './leads-store.ts';
import { respondToReplay } from './respond-and-report.ts';
import type {
  AuthenticatedSubmission,
  HttpResponse,
  IdempotencyKey,
  Step,
  Submission,
} from './submission.ts';

interface ReplayOptions<After extends AuthenticatedSubmission> {
  readonly keyOf?: IdempotencyKeyOf<After> | undefined;
  readonly authenticator: Pick<Authenticator, 'reauthenticate'>;
  readonly idempotency: Idempotency;
  readonly rejections: Rejections;
  readonly gate: Pick<Gate, 'noteCounters'>;
}

/** Returns the original response for a repeated key, if the sender is still allowed to send. */
export function replayOriginal<After extends AuthenticatedSubmission>(
  options: ReplayOptions<After>,
): Step<After> {
  const { authenticator, idempotency, gate, rejections, keyOf = sentKey } = options;
  const replay = respondToReplay(rejections);
  return {
    before: async function replayOriginalBefore({ event: submission }) {
      const key = keyOf(submission);
      if (key === undefined) return undefined;
      const { workspaceId, configVersion } = submission.credential;
      const { record, workspace } = await idempotency.read(key.hash, workspaceId, submission.signal);
      if (workspace) gate.noteCounters(workspace);

      // The gate would catch a change, but a replay does not pass the gate.
      if (workspace && workspace.status !== 'active') throw new Rejection('workspace_suspended');
      if (workspace?.configVersion !== configVersion) {
        submission.credential = await authenticator.reauthenticate(submission);
      }

      if (record?.kind === 'accepted' && isLive(record, submission.receivedAtMilliseconds)) {
        return replay(submission, record);
      }
      submission.key = { ...key, denialSeen: denialOn(record, submission.surface) };
      return undefined;
    },
  };
}

function sentKey({ headers, credential }: AuthenticatedSubmission): IdempotencyKey | undefined {
  const key = idempotencyKey(headers);
  return key === undefined ? undefined : { hash: hashIdempotencyKey(credential.workspaceId, key) };
}

interface GateOptions {
  readonly authenticator: Pick<Authenticator, 'reauthenticate'>;
  readonly gate: Gate;
  readonly idempotency: Idempotency;
  readonly rejections: Rejections;
  readonly newId: () => string;
}

/** Counts the submission against both limits, if its configuration is still the one it was authenticated with. */
export function passGate(options: GateOptions): Step<AuthenticatedSubmission> {
  const { authenticator, gate, idempotency, rejections, newId } = options;
  const replay = respondToReplay(rejections);

  /** Concurrent duplicates at the limit must agree: the denial stands unless one of them was accepted. */
  async function deny(
    submission: Submission,
    reason: 'rate_limited_minute' | 'rate_limited_day',
  ): Promise<HttpResponse> {
    const original =
      submission.key &&
      (await idempotency.markDenied(
        {
          keyHash: submission.key.hash,
          surface: submission.surface,
          denialId: newId(),
          reason,
          nowMilliseconds: submission.receivedAtMilliseconds,
        },
        submission.signal,
      ));
    if (original) return replay(submission, original);
    throw new Rejection(reason);
  }

  return {
    before: async function passGateBefore({ event: submission }) {
      for (;;) {
        const { workspaceId, configVersion } = submission.credential;
        const outcome = await gate.admit(
          {
            workspaceId,
            configVersion,
            surface: submission.surface,
            nowMilliseconds: submission.receivedAtMilliseconds,
          },
          submission.signal,
        );
        if (outcome === 'admitted') return undefined;
        if (outcome === 'suspended') throw new Rejection('workspace_suspended');
        if (outcome === 'limited_minute') return deny(submission, 'rate_limited_minute');
        if (outcome === 'limited_day') return deny(submission, 'rate_limited_day');
        // Stale: an owner changed something. Each further round means a further change, and the deadline ends it.
        submission.credential = await authenticator.reauthenticate(submission);
      }
    },
  };
}
