// The part of an owner's configuration that submissions depend on, and how its ids and slugs are made.

import type { FieldConfiguration } from './lead-fields.ts';
import type { Learned } from './learned.ts';
import type { Attribution, Reason, Rejection, RejectionDetail } from './reasons.ts';
import type { SenderList } from './senders.ts';

/** `browser` is kept for Surface 2: such a token is known, and refused here as the wrong type. */
export type TokenType = 'server' | 'browser';

export interface Workspace {
  readonly workspaceId: string;
  readonly status: 'active' | 'suspended';
  /** Raised after every change of configuration; the gate admits only against the version that was read. */
  readonly configVersion: number;
  /** Present if the owner does not want verdicts to change scores. */
  readonly learningOff?: true;
}

/** Whether pages may send leads to a form, and which: origins, possibly with a wildcard as their first label. */
export interface BrowserSending {
  readonly enabled: boolean;
  readonly origins: readonly string[];
}

/** The provider whose deliveries a form takes, and which of its events make leads. Without events, the defaults do. */
export interface ChosenProvider {
  readonly name: string;
  readonly events?: readonly string[];
  /** What happened before belongs to another provider. */
  readonly chosenAt?: string;
}

export interface Form {
  readonly slug: string;
  readonly formId: string;
  readonly workspaceId: string;
  readonly active: boolean;
  readonly fields?: readonly FieldConfiguration[];
  /** How long new leads are kept. Absent if they are kept forever. */
  readonly retentionDays?: number;
  /** Absent if no web page may send leads. */
  readonly browser?: BrowserSending;
  /** Absent if no provider sends leads in its own way. */
  readonly provider?: ChosenProvider;
}

export interface FormSecret {
  readonly slug: string;
  readonly formId: string;
  /** Absent if the form has only a provider's secret. */
  readonly secret?: string;
  readonly previousSecret?: string;
  readonly previousEndsAtMilliseconds?: number;
  /** Signs for the form's provider. */
  readonly providerSecret?: string;
  readonly previousProviderSecret?: string;
  /** In milliseconds. */
  readonly previousProviderSecretUntil?: number;
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
  /** Absent if the workspace has no list. */
  readonly senders?: SenderList | undefined;
  /** Absent if nothing was learned, or the owner does not want it. */
  readonly learned?: Learned | undefined;
  /** Which token or secret proved it, as Diagnostics keeps its last use: `token#…`, `secret#…#current`, `provider#…#current`. */
  readonly provedBy: string;
  /** Of a browser's token: one nonce makes at most one lead. */
  readonly nonce?: string;
  /** Kept with the last use. Of a signature: how far off its timestamp was, and when its secret ends. */
  readonly proof?: {
    readonly skewSeconds?: number;
    readonly endsAt?: number | undefined;
    /** Of a token: where it was used. */
    readonly surface?: '1a' | '1c';
  };
  /** Of a delivery: its ID, if the provider signs one outside the body. */
  readonly deliveryId?: string | undefined;
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

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes as one big-endian number in base 62, padded to the width that any bytes of that length need. */
export function base62(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  const width = Math.ceil((bytes.length * 8) / Math.log2(62));
  let text = '';
  for (let i = 0; i < width; i += 1) {
    text = DIGITS[Number(number % 62n)] + text;
    number /= 62n;
  }
  return text;
}

/** Slugs are case-sensitive. The service makes lower-case ones; imported ones may use more of this grammar. */
const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** A readable stem from the form's name, and a suffix that makes it unique and hard to guess. */
export function makeSlug(name: string, suffix: string): string {
  const stem = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return `${stem || 'form'}-${suffix}`;
}
