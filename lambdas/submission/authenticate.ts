import type { Request } from '@middy/core';
import { BoundedMap } from '../aws/bounded-map.ts';
import type { Credential, Verdict, Workspace } from '../model/configuration.ts';
import { type Reason, Rejection, type RejectionDetail } from '../model/reasons.ts';
import type { ConfigurationSource } from './configuration-store.ts';
import type { Gate } from './gate-store.ts';
import type { AuthenticatedSubmission, IdempotencyKey, Step, Submission } from './submission.ts';

export type IdempotencyKeyOf<After extends AuthenticatedSubmission = AuthenticatedSubmission> = (
  submission: After,
) => IdempotencyKey | undefined;

/** What differs between the surfaces: how a sender is looked up, and how its proof is checked. */
export interface CredentialScheme<Configuration extends { workspace?: Workspace | undefined }> {
  readonly source: ConfigurationSource<Configuration>;
  /** The configuration of an unknown key. */
  readonly emptyConfiguration: Configuration;
  /** The key by which the sender is looked up. Throws a rejection if the request has none. */
  keyOf(submission: Submission): string;
  judge(configuration: Configuration, submission: Submission): Verdict;
  /** The key under which the response is remembered. By default the one in the sender's header, if any. */
  idempotencyKeyOf?: IdempotencyKeyOf;
  /** More for the owner to read about a rejection. Does the same work whatever the configuration says. */
  explain?(configuration: Configuration, submission: Submission): RejectionDetail;
}

/** Cached configuration is trusted for this long, for acceptance only; the gate notices what has changed. */
const CACHE_MS = 60_000;
const CACHE_ENTRIES = 5_000;

interface Options {
  readonly gate: Pick<Gate, 'noteCounters'>;
  readonly now: () => number;
}

export interface Authenticator {
  authenticate(submission: Submission): Promise<Credential>;
  /** Forgets what is cached and reads the tables, for when a store reports a newer configuration. */
  reauthenticate(submission: Submission): Promise<Credential>;
}

/**
 * Finds out who sends and whether they may.
 *
 *     cache (or empty) ─ judge ─┬─> accepted
 *                               └─> find ─ judge ─┬─> rejected
 *                                                 └─> read again ─ judge ─> accepted, cached
 *
 * No rejection is made from the cache, so a new token or a rotated secret works at once. An unknown key takes the same
 * steps as a known one with a wrong token or signature: the same calls, in the same order, with the same work between.
 */
export function makeAuthenticator<Configuration extends { workspace?: Workspace | undefined }>(
  scheme: CredentialScheme<Configuration>,
  { gate, now }: Options,
): Authenticator {
  const cache = new BoundedMap<{ configuration: Configuration; until: number }>(CACHE_ENTRIES);

  function fromCache(key: string, submission: Submission): Credential | undefined {
    const cached = cache.get(key);
    const fresh = cached !== undefined && now() < cached.until;
    const { credential } = scheme.judge(fresh ? cached.configuration : scheme.emptyConfiguration, submission);
    return credential;
  }

  async function fromTables(key: string, submission: Submission): Promise<Credential> {
    const readAt = now();
    const found = await scheme.source.find(key, submission.signal);
    requireCredential(found, submission);
    if (found.workspace) gate.noteCounters(found.workspace);

    const configuration = await scheme.source.readAgain(key, found, submission.signal);
    const credential = requireCredential(configuration, submission);
    cache.set(key, { configuration, until: readAt + CACHE_MS });
    return credential;
  }

  function requireCredential(configuration: Configuration, submission: Submission): Credential {
    const verdict = scheme.judge(configuration, submission);
    if (verdict.credential) return verdict.credential;
    submission.attribution = verdict.attribution;
    const { reason, detail } = verdict.rejection;
    throw new Rejection(reason, { ...detail, ...explain(reason, configuration, submission) });
  }

  /** Computed for every rejection and kept for some, so that the time taken reveals nothing. */
  function explain(reason: Reason, configuration: Configuration, submission: Submission): RejectionDetail {
    const explanation = scheme.explain?.(configuration, submission) ?? {};
    return reason === 'signature_mismatch' || reason === 'signature_malformed' ? explanation : {};
  }

  return {
    async authenticate(submission) {
      const key = scheme.keyOf(submission);
      return fromCache(key, submission) ?? fromTables(key, submission);
    },

    // Only a store's report empties the cache. If a bad proof did, a flood of bad signatures would cost the honest
    // senders of the same form three calls each.
    reauthenticate(submission) {
      const key = scheme.keyOf(submission);
      cache.delete(key);
      return fromTables(key, submission);
    },
  };
}

export function authenticate(authenticator: Authenticator): Step<AuthenticatedSubmission> {
  return {
    before: async function authenticateBefore({ event: submission }: Request<Submission>) {
      const credential = await authenticator.authenticate(submission);
      submission.credential = credential;
      submission.attribution = {
        workspaceIds: [credential.workspaceId],
        formId: credential.form.formId,
      };
    },
  };
}
