import type { Surface } from '#submission/limits.ts';
import type { Activity } from '../machine/environment.ts';
import type { Sender } from './sender.ts';

export interface GivenAnswer {
  readonly statusCode: number;
  readonly body: string;
  readonly headers: unknown;
}

/** A moment: the place in the order of all events, and the time. */
export interface Moment {
  readonly index: number;
  readonly at: number;
}

/** One submission, as an observer who sees everything writes it down. */
export interface SubmissionRecord extends Activity {
  readonly surface: Surface;
  readonly key: string | undefined;
  readonly body: string;
  readonly sender: Sender;
  readonly flawed: boolean;
  readonly started: Moment;
  /** Set when the function has answered, whether or not the sender got to see it. */
  answered?: Moment;
  answer?: GivenAnswer;
  /** Why it was rejected, as the owner is told. */
  reason?: string;
  /** An error that the function did not expect. */
  defect?: unknown;
}

export type ChangeKind =
  | 'suspend'
  | 'resume'
  | 'revoke'
  | 'deactivate'
  | 'activate'
  | 'rotate'
  | 'rotate with grace';

/** A change by the owner, from the first try to the answer that it has been made. */
export interface ChangeRecord {
  readonly kind: ChangeKind;
  readonly started: Moment;
  tries: number;
  answered?: Moment;
}
