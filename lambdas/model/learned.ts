/** Points by word or by the name of a signal. */
export interface LearnedPoints {
  readonly words: Readonly<Record<string, number>>;
  readonly signals: Readonly<Record<string, number>>;
}

/** What a workspace's verdicts have taught. A form's own points replace those of the workspace, word by word. */
export interface Learned extends LearnedPoints {
  readonly forms: Readonly<Record<string, LearnedPoints>>;
}

/** How much it was learned from: leads, and different senders. */
export interface LearnedFrom {
  readonly good: { readonly leads: number; readonly senders: number };
  readonly spam: { readonly leads: number; readonly senders: number };
}

/** Like the list of senders, an item of Workspaces of its own. */
export function learnedKey(workspaceId: string): { readonly workspaceId: string } {
  return { workspaceId: `learned#${workspaceId}` };
}
