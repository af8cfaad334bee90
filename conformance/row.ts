import type { Surface } from '../lambdas/model/limits.ts';
import type { Reason } from '../lambdas/model/reasons.ts';
import type { HttpResponse } from './world/http.ts';
import type { Sender, Submission } from './world/submission.ts';
import type { World } from './world/world.ts';

/** One statement of the specification. `npm run conformance` and test/contract run the same rows. */
export type Row = SentRow | CheckedRow | SkippedRow;

interface RowText {
  /** Unique within its section. */
  readonly id: string;
  /** What the specification says, in few words. */
  readonly rule: string;
  /** The row runs once for each of these. Left out if the rule is not about a surface. */
  readonly surfaces?: readonly Surface[];
  /** Printed next to the rule. */
  readonly note?: string;
}

/** Prepares all rows before the first submission, so that no change of configuration disturbs another row. */
type Arrange = (trial: Trial) => Promise<Partial<Sender>>;

/** What differs from a correct submission. */
export type Sent = Submission | ((trial: Trial) => Submission);

/** Where the reason of a rejection is found: by the owner under the form or under no form, or only by the operator. */
export type SeenBy = 'owner' | 'owner, of no form' | 'operator';

/** A row that is data: what to send and what to expect. */
export interface SentRow extends RowText {
  readonly surfaces: readonly Surface[];
  readonly arrange?: Arrange;
  /** A correct submission, unless `send` or `examples` say otherwise. */
  readonly send?: Sent;
  /** Several submissions by name, each of which must get the expected response. */
  readonly examples?: Readonly<Record<string, Sent>>;
  /** `stored`: accepted, and the owner reads the body exactly as sent. A reason: rejected, and recorded as this. */
  readonly expect: 'accepted' | 'stored' | 'rejected' | Reason;
  readonly seenBy?: SeenBy;
  /** Whether the record must say that the sender was authenticated. */
  readonly authenticated?: boolean;
}

/** A row that takes several steps. */
export interface CheckedRow extends RowText {
  readonly arrange?: Arrange;
  /** Throws if the rule does not hold. */
  readonly check: (trial: Trial) => Promise<void>;
  /** `burst`: uses up the per-minute limit, which --quick leaves out. `last`: about everything that was sent before. */
  readonly when?: 'burst' | 'last';
}

export interface SkippedRow extends RowText {
  /** Why a live stack cannot be tested for this. */
  readonly skipped: string;
}

/** What a row works with. */
export interface Trial {
  readonly world: World;
  /** 1b for a row that is not about a surface. */
  readonly surface: Surface;
  /** The row's own form, with secret and token, if the row names surfaces; otherwise a shared one. */
  readonly sender: Sender;
  /** Sends a correct submission, except for what is given. */
  readonly submit: (submission?: Submission) => Promise<HttpResponse>;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** A sentence under the title. */
  readonly about?: string;
}

export const BOTH = ['1a', '1b'] as const;
export const ONLY_1A = ['1a'] as const;
export const ONLY_1B = ['1b'] as const;

/** The specification does not say, and the service has chosen. */
export const DECIDED = 'decided here';

/** One row on one surface, or a row that is not about a surface. */
export interface Case {
  readonly section: Section;
  readonly row: Row;
  readonly surface: Surface | undefined;
}

export function casesOf(sections: readonly Section[]): Case[] {
  return sections.flatMap((section) =>
    section.rows.flatMap((row) =>
      (row.surfaces ?? [undefined]).map((surface) => ({ section, row, surface })),
    ),
  );
}

/** Unique in the whole specification: `hmac/upper-case (Surface 1b)`. */
export function nameOf({ section, row, surface }: Case): string {
  return `${section.id}/${row.id}${surface ? ` (Surface ${surface})` : ''}`;
}
