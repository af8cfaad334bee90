import type { Delivery, Diagnostics, ListedForm, Token, Workspace } from '#console/api/types.ts';

/** One thing that an owner should look at, and where it is put right. */
export interface Attention {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
  /** Something that happened, told after the detail with its time. */
  readonly since?: { readonly what: string; readonly at: string };
  readonly link: { readonly text: string; readonly href: string };
}

export type Severity = 'error' | 'warning' | 'info';

/** What could be read. A rule whose facts are missing says nothing. */
export interface Known {
  readonly workspace: Workspace | undefined;
  readonly forms: readonly ListedForm[] | undefined;
  readonly deliveries: readonly Delivery[] | undefined;
  readonly tokens: readonly Token[] | undefined;
  /** By hour, a day or more. */
  readonly diagnostics: Diagnostics | undefined;
  readonly now: number;
}
