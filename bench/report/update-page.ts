import { type CostInputs, computeCosts, computeStackCost } from '../measure/cost.ts';
import type { Results } from '../measurements.ts';
import { callsChart, dollarsChart, unitsChart } from './charts.ts';
import { backgroundRows, dollarRows, searchRows, sendingRows } from './cost-rows.ts';
import { dollarsSection, sendingSection, stackSection } from './cost-sections.ts';
import { callsSection } from './counted-sections.ts';
import type { Row } from './local-rows.ts';
import { missedLine, reproducing, verdictCells } from './page.ts';
import { callRows, unitRows } from './rows.ts';
import { searchSection } from './search-section.ts';

type Needed = Pick<
  Results,
  'calls' | 'shelfCalls' | 'units' | 'shelfUnits' | 'background' | 'logLineBytes' | 'sending'
>;

/** The page with the counted figures that were measured again, and the charts that show them. */
export function updateCounted(
  page: string,
  measured: Partial<Results>,
  cpuMilliseconds: CostInputs['cpuMilliseconds'],
): { readonly page: string; readonly charts: Readonly<Record<string, string>> } {
  const sections = [reproducing()];
  const rows: Row[] = [];
  const charts: Record<string, string> = {};
  const { calls, shelfCalls, units, shelfUnits, background, logLineBytes, sending, search } = measured;
  if (calls && shelfCalls) {
    sections.push(callsSection({ calls, shelfCalls }));
    rows.push(...callRows({ calls, shelfCalls }));
    charts['calls.svg'] = callsChart({ calls, shelfCalls });
  }
  if (units && shelfUnits) {
    rows.push(...unitRows({ units, shelfUnits }));
    charts['write-units.svg'] = unitsChart({ units, shelfUnits });
  }
  if (sending) {
    sections.push(sendingSection({ sending }));
    rows.push(...sendingRows({ sending }));
  }
  if (search) {
    sections.push(searchSection({ search }));
    rows.push(...searchRows({ search }));
  }
  if (calls && shelfCalls && units && shelfUnits && background && logLineBytes !== undefined && sending) {
    const needed: Needed = { calls, shelfCalls, units, shelfUnits, background, logLineBytes, sending };
    const inputs = { ...needed, cpuMilliseconds };
    const [costs, stackCost] = [computeCosts(inputs), computeStackCost(inputs)];
    sections.push(stackSection({ stackCost }), dollarsSection({ costs, logLineBytes }));
    rows.push(...backgroundRows({ background, stackCost }), ...dollarRows({ costs }));
    charts['dollars.svg'] = dollarsChart({ costs });
  }
  return { page: updatePage(page, sections, rows), charts };
}

/**
 * Puts sections and figures that were measured again in the place of the old ones. The rest of the page, with all times of
 * the last whole run, stays.
 */
export function updatePage(page: string, sections: readonly string[], rows: readonly Row[]): string {
  let parts = page.split(/\n(?=## )/);
  for (const section of sections) {
    const [heading = ''] = section.split('\n');
    const old = parts.findIndex((part) => part.startsWith(`${heading}\n`));
    if (old < 0) throw new Error(`The page has no section "${heading}": run the whole bench`);
    parts = parts.with(old, `${section}\n`);
  }
  return rows.reduce(updateRow, parts.join('\n').replace(/\n*$/, '\n'));
}

const MISSED = 'Missed goals and why:';

function updateRow(page: string, row: Row): string {
  const begin = `| ${row.figure} | `;
  const lines = page.split('\n').filter((line) => !line.startsWith(`- ${row.figure}: `));
  const old = lines.findIndex((line) => line.startsWith(begin));
  if (old < 0) throw new Error(`The page has no figure "${row.figure}": run the whole bench`);
  lines[old] = `| ${verdictCells(row).join(' | ')} |`;
  // After the empty line below the title.
  if (row.met === false) lines.splice(lines.indexOf(MISSED) + 2, 0, missedLine(row));
  return lines.join('\n');
}

/** Processor time of the last whole run, which the costs need. */
export function processorTimeOn(page: string) {
  const read = (name: string) => {
    const found = new RegExp(`^\\| ${name} \\| ([\\d.]+) ms \\| ([\\d.]+) ms \\|`, 'm').exec(page);
    if (!found) throw new Error(`The page has no processor time of: ${name}`);
    return { ours: Number(found[1]), shelf: Number(found[2]) };
  };
  const [plain, keyed] = [read('accepted'), read('accepted, with key')];
  return {
    ours: { plain: plain.ours, keyed: keyed.ours },
    shelf: { plain: plain.shelf, keyed: keyed.shelf },
  };
}
