import { BoundedMap } from '../aws/bounded-map.ts';
import { type Reason, Rejection, type RejectionDetail } from '../rejections/reasons.ts';
import type { Verdict, Workspace } from './configuration.ts';
import type { ConfigurationSource } from './configuration-store.ts';
import type { Gate } from './gate-store.ts';
import type { Authenticated, Step, Submission } from './submission.ts';

/** What differs between the surfaces: how a sender is looked up, and how the proof is judged. */
export interface CredentialScheme<Configuration extends { workspace?: Workspace | undefined }> {
  readonly source: ConfigurationSource<Configuration>;
  /** What is known of a key that nobody has. */
  readonly nothing: Configuration;
  /** The key to look the sender up by; throws a rejection where none was presented. */
  keyOf(submission: Submission): string;
  judge(configuration: Configuration, submission: Submission): Verdict;
  /** What more can be told the owner about a rejection; the same work whatever the configuration says. */
  explain?(configuration: Configuration, submission: Submission): RejectionDetail;
}

/** Configuration is trusted from memory for this long, for acceptance only; the gate catches what has changed. */
const CACHE_MS = 60_000;
const CACHE_ENTRIES = 5_000;

interface Options {
  readonly gate: Pick<Gate, 'learn'>;
  readonly now: () => number;
}

/**
 * Finds out who sends and whether they may.
 *
 *     memory (or nothing) ─ judge ─┬─> accepted
 *                                  └─> find ─ judge ─┬─> rejected
 *                                                    └─> read again ─ judge ─> accepted, remembered
 *
 * No rejection is made from memory, so a new token or a rotated secret works at once. An unknown key takes the same
 * steps as a known one with a bad proof: the same calls in the same order, and the same work in between.
 */
export function authenticate<Configuration extends { workspace?: Workspace | undefined }>(
  scheme: CredentialScheme<Configuration>,
  { gate, now }: Options,
): Step {
  const memory = new BoundedMap<{ configuration: Configuration; until: number }>(CACHE_ENTRIES);

  function fromMemory(key: string, submission: Submission): Authenticated | undefined {
    const remembered = memory.get(key);
    const fresh = remembered !== undefined && now() < remembered.until;
    const { credential } = scheme.judge(fresh ? remembered.configuration : scheme.nothing, submission);
    return credential && { credential, again: () => anew(key, submission) };
  }

  /**
   * For who has found out that what is remembered has changed. A bad proof is no such thing: if it made us forget, a
   * flood of bad signatures would cost the honest senders of the same form three calls each.
   */
  function anew(key: string, submission: Submission): Promise<Authenticated> {
    memory.delete(key);
    return fromTables(key, submission);
  }

  async function fromTables(key: string, submission: Submission): Promise<Authenticated> {
    const readAt = now();
    const found = await scheme.source.find(key, submission.signal);
    requireCredential(found, submission);
    learnCounters(found.workspace);

    const configuration = await scheme.source.readAgain(key, found, submission.signal);
    const credential = requireCredential(configuration, submission);
    memory.set(key, { configuration, until: readAt + CACHE_MS });
    return { credential, again: () => anew(key, submission) };
  }

  function requireCredential(configuration: Configuration, submission: Submission) {
    const verdict = scheme.judge(configuration, submission);
    if (verdict.credential) return verdict.credential;
    submission.attribution = verdict.attribution;
    const { reason, detail } = verdict.rejection;
    throw new Rejection(reason, { ...detail, ...explain(reason, configuration, submission) });
  }

  /** Worked out for every rejection, and kept for those that it is about: so that time tells nothing. */
  function explain(reason: Reason, configuration: Configuration, submission: Submission): RejectionDetail {
    const explanation = scheme.explain?.(configuration, submission) ?? {};
    return reason === 'signature_mismatch' || reason === 'signature_malformed' ? explanation : {};
  }

  function learnCounters(workspace: Workspace | undefined) {
    if (workspace) gate.learn(workspace.workspaceId, Object.keys(workspace));
  }

  return {
    before: async function authenticateBefore({ event: submission }) {
      const key = scheme.keyOf(submission);
      const authenticated = fromMemory(key, submission) ?? (await fromTables(key, submission));
      submission.authenticated = authenticated;
      const { workspaceId, form } = authenticated.credential;
      submission.attribution = { workspaceIds: [workspaceId], formId: form.formId };
    },
  };
}
