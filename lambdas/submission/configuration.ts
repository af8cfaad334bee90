import type { Attribution, Reason, Rejection, RejectionDetail } from '../rejections/reasons.ts';

/** `browser` is kept for Surface 2: such a token is known, and refused here as the wrong type. */
export type TokenType = 'server' | 'browser';

/** The part of an owner's configuration that submissions depend on. */

export interface Workspace {
  readonly workspaceId: string;
  readonly status: 'active' | 'suspended';
  /** Raised after every change of configuration; the gate admits only against the version that was read. */
  readonly configVersion: number;
}

export interface FieldConfiguration {
  readonly key: string;
  readonly label?: string;
  readonly role?: string;
}

export interface Form {
  readonly slug: string;
  readonly formId: string;
  readonly workspaceId: string;
  readonly active: boolean;
  readonly fields?: readonly FieldConfiguration[];
  /** How long new leads are kept. Absent: for ever. */
  readonly retentionDays?: number;
}

export interface FormSecret {
  readonly slug: string;
  readonly formId: string;
  readonly secret: string;
  readonly previousSecret?: string;
  readonly previousEndsAtMilliseconds?: number;
}

export interface IngestToken {
  readonly tokenHash: string;
  readonly tokenId: string;
  readonly workspaceId: string;
  readonly slug: string;
  readonly formId: string;
  readonly type: TokenType;
  readonly revokedAt?: string;
}

/** Who a submission is from and where its lead belongs, once the sender has proved it. */
export interface Credential {
  readonly workspaceId: string;
  readonly configVersion: number;
  readonly form: Form;
  /** Which token or secret proved it, as Diagnostics keeps its last use: `token#…`, `secret#…#current`. */
  readonly provedBy: string;
  /** Of a signature: how far off its timestamp was, and when its secret ends. Kept with the last use. */
  readonly proof?: { readonly skewSeconds: number; readonly endsAt?: number | undefined };
}

export type Verdict =
  | { readonly credential: Credential; readonly rejection?: undefined }
  | { readonly credential?: undefined; readonly rejection: Refusal; readonly attribution: Attribution };

/**
 * Not yet an error: creating its stack takes microseconds, which a bad signature would pay once and an unknown slug
 * twice.
 */
type Refusal = Pick<Rejection, 'reason' | 'detail'>;

export function refuse(reason: Reason, attribution: Attribution, detail: RejectionDetail = {}): Verdict {
  return { rejection: { reason, detail }, attribution };
}
