import { Rejection } from '../rejections/reasons.ts';
import type { CredentialScheme } from './authenticate.ts';
import type { Workspace } from './configuration.ts';
import { requireIdentityEncoding } from './parse-body.ts';
import { LIMITS } from './rate-windows.ts';
import type { Step, Submission } from './submission.ts';

/**
 * Refuses what is too large or was compressed, before anything is decoded, parsed or verified. Whose rejection it is
 * gets looked up all the same, so that the owner sees it.
 */
export function refuseUnreadable<Configuration extends { workspace?: Workspace | undefined }>(
  scheme: CredentialScheme<Configuration>,
): Step {
  return {
    before: async function refuseUnreadableBefore({ event: submission }) {
      try {
        requireSize(submission);
        requireIdentityEncoding(submission.headers);
      } catch (rejection) {
        const key = keyIfPresented(scheme, submission);
        if (key !== undefined) submission.attribution = await scheme.source.locate(key, submission.signal);
        throw rejection;
      }
    },
  };
}

function requireSize({ body }: Submission): void {
  if (body.byteLength > LIMITS.bodyBytes) throw new Rejection('body_too_large', { length: body.byteLength });
}

function keyIfPresented<Configuration extends { workspace?: Workspace | undefined }>(
  scheme: CredentialScheme<Configuration>,
  submission: Submission,
): string | undefined {
  try {
    return scheme.keyOf(submission);
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}
