import type { TokenType } from './ingest-token.ts';

/** What an owner sets up, as far as a submission depends on it. */

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
  /** How long leads that come in are kept. For ever where it is not there. */
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
