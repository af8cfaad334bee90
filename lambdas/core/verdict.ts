import type { Form } from './configuration.ts';
import type { Reason } from './reasons.ts';
import type { Attribution, Rejection, RejectionDetail } from './rejection.ts';

/** Who a submission is from and where its lead belongs, once the sender has proved it. */
export interface Credential {
  readonly workspaceId: string;
  readonly configVersion: number;
  readonly form: Form;
  /** Which token or secret proved it, as Diagnostics keeps its last use: `token#…`, `secret#…#current`. */
  readonly provedBy: string;
}

export type Verdict =
  | { readonly credential: Credential; readonly rejection?: undefined }
  | { readonly credential?: undefined; readonly rejection: Refusal; readonly attribution: Attribution };

/** Why, and not yet an error: its stack takes microseconds, which a bad signature would pay once and an unknown slug twice. */
type Refusal = Pick<Rejection, 'reason' | 'detail'>;

export function refuse(reason: Reason, attribution: Attribution, detail: RejectionDetail = {}): Verdict {
  return { rejection: { reason, detail }, attribution };
}
