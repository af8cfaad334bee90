/** One line of the table: what was tried, the result, and whether the promise holds. */
export interface Finding {
  readonly what: string;
  readonly figures: string;
  /** Undefined: measured without a promise. */
  readonly held?: boolean;
}

export function judged(what: string, held: boolean, figures: string): Finding {
  return { what, held, figures };
}

export function measured(what: string, figures: string): Finding {
  return { what, figures };
}

const EXAMPLES = 3;

/** Holds if there are no exceptions. Names the first ones otherwise. */
export function noExceptions(
  what: string,
  exceptions: readonly string[],
  tried: number,
  ofWhat: string,
): Finding {
  // Zero tries prove nothing.
  if (tried === 0) return judged(what, false, `0 ${ofWhat}`);
  const more = exceptions.length > EXAMPLES ? `, and ${exceptions.length - EXAMPLES} more` : '';
  const named =
    exceptions.length > 0 ? `; exceptions: ${exceptions.slice(0, EXAMPLES).join(', ')}${more}` : '';
  return judged(what, exceptions.length === 0, `${tried.toLocaleString('en')} ${ofWhat}${named}`);
}

export function printFindings(title: string, findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ what }) => what.length));
  console.log(`\n${title}`);
  for (const { what, figures, held } of findings) {
    console.log(`  ${markOf(held)} ${what.padEnd(width)}  ${figures}`);
  }
}

/** Whether no promise was broken. */
export const allHeld = (findings: readonly Finding[]) => findings.every(({ held }) => held !== false);

function markOf(held: boolean | undefined): string {
  if (held === undefined) return '·';
  return held ? '✓' : '✗';
}

/** Progress goes to stderr, since stdout is for the table. */
export function logProgress(what: string): void {
  console.error(`  ${new Date().toISOString().slice(11, 19)} ${what}`);
}
