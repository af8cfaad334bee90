import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** Serious and critical findings, one line per finding with its location. */
export function seriousFindings(page: Page): Promise<string[]> {
  return findings(page, ({ impact }) => impact === 'serious' || impact === 'critical');
}

export async function findings(
  page: Page,
  counts: (it: Violation) => boolean = () => true,
): Promise<string[]> {
  // The content security policy does not apply to evaluate.
  await page.evaluate(AXE);
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)`,
  )) as Violation[];
  return violations
    .filter(counts)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
}
