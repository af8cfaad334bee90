import type { Workspace } from '../core/configuration.ts';
import type { RejectionDetail } from '../core/rejection.ts';
import type { Verdict } from '../core/verdict.ts';
import type { ConfigurationSource } from '../stores/configuration-source.ts';
import type { Submission } from './submission.ts';

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
