/** One line of the table: what was tried, what came of it, and whether that is what was promised. */
export interface Finding {
  readonly what: string;
  readonly figures: string;
  /** Undefined: measured, and nothing promised. */
  readonly held?: boolean;
}

export function judged(what: string, held: boolean, figures: string): Finding {
  return { what, held, figures };
}

export function measured(what: string, figures: string): Finding {
  return { what, figures };
}

const EXAMPLES = 3;

/** Holds where there are no exceptions; else the first of them are named. */
export function without(what: string, exceptions: readonly string[], tried: number, ofWhat: string): Finding {
  // Nothing tried proves nothing.
  if (tried === 0) return judged(what, false, `0 ${ofWhat}`);
  const more = exceptions.length > EXAMPLES ? `, and ${exceptions.length - EXAMPLES} more` : '';
  const named = exceptions.length > 0 ? `; not so: ${exceptions.slice(0, EXAMPLES).join(', ')}${more}` : '';
  return judged(what, exceptions.length === 0, `${tried.toLocaleString('en')} ${ofWhat}${named}`);
}

export function printFindings(title: string, findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ what }) => what.length));
  console.log(`\n${title}`);
  for (const { what, figures, held } of findings) {
    console.log(`  ${markOf(held)} ${what.padEnd(width)}  ${figures}`);
  }
}

function markOf(held: boolean | undefined): string {
  if (held === undefined) return '·';
  return held ? '✓' : '✗';
}
