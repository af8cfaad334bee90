import type { Surface } from '../lambdas/submission/limits.ts';
import type { HttpAnswer } from './world/http.ts';
import type { Sender, Submission } from './world/submission.ts';
import type { World } from './world/world.ts';

/** A rule of the specification, in few words, and how to find out whether it holds. */
export type Row = TriedRow | SkippedRow;

interface RowText {
  readonly rule: string;
  /** Where a rule is for both surfaces, it is tried on each. Left out, it is for neither in particular. */
  readonly surfaces?: readonly Surface[];
  /** Beside the rule in the report: what the owner reads, or who has decided it. */
  readonly note?: string;
}

export interface TriedRow extends RowText {
  /** Done for all rows before the first submission, so that no change of configuration disturbs another row. */
  readonly arrange?: (trial: Trial) => Promise<Partial<Sender>>;
  /** Throws where the rule does not hold. */
  readonly check: (trial: Trial) => Promise<void>;
  /** `burst`: uses up a minute's limit, which --quick leaves out. `last`: about all that was sent before. */
  readonly when?: 'burst' | 'last';
}

export interface SkippedRow extends RowText {
  /** Why this cannot be tried on a live stack. */
  readonly skipped: string;
}

/** What one try of a row gets. */
export interface Trial {
  readonly world: World;
  /** 1b for a row that is for no surface in particular. */
  readonly surface: Surface;
  /** A form of its own, with secret and token, for a row that names surfaces; else one that rows share. */
  readonly sender: Sender;
  /** Sends a correct submission, except for what is given. */
  readonly submit: (submission?: Submission) => Promise<HttpAnswer>;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** A sentence under the title. */
  readonly about?: string;
}

export const BOTH = ['1a', '1b'] as const;
export const ONLY_1A = ['1a'] as const;
export const ONLY_1B = ['1b'] as const;

/** Where the specification is silent, and the service has chosen. */
export const DECIDED = 'decided here';
