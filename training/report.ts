import { parseArgs } from 'node:util';
import { scoreLead } from '#scoring/score-lead.ts';
import { type LabelledLead, readEarlierLeads, readLabelledLeads, readOwnLeads } from './labelled-leads.ts';
import { calibration, type Judged, type Measures, measure, share } from './measure-scoring.ts';

/**
 * `npm run score:report`: how scoring does on labelled leads, above all on those that no rule was made from.
 * `-- --leads FILE.ndjson` measures it on one's own.
 */

const GOALS: readonly (readonly [label: string, of: keyof Measures, goal: number, atMost?: boolean])[] = [
  ['AUC', 'auc', 0.97],
  ['good kept', 'goodKept', 0.97],
  ['bad caught', 'badCaught', 0.92],
  ['precision at 50 % bad', 'precisionAtHalf', 0.92],
  ['precision at 80 % bad', 'precisionAtFourFifths', 0.75],
  ['bad graded A', 'badGradedA', 0.02, true],
];

type JudgedLead = LabelledLead & Judged;

const FAMILIES: readonly (readonly [name: string, words: RegExp])[] = [
  ['cancel and unsubscribe', /cancel|unsubscri|terminat|opt-out|kuendig/],
  ['complaint and return', /complain|return|refund|damag|lost|missing|wrong|warrant|repair/],
  ['price and quote', /quote|price|offer-request|rate-|budget|discount|estimate/],
  ['booking', /book|appoint|reserv|event|wedding|visit|demo|schedul/],
  ['search ranking and links', /seo|rank|link|guest|backlink|traffic/],
  ['web and software', /web|app-|software|develop|design|ai-|chatbot|automation|staff/],
  ['money', /loan|credit|crypto|trading|invest|cash|payment|invoice|bank|funding|merchant|advance/],
  [
    'scare and blackmail',
    /trademark|domain|copyright|lawsuit|blackmail|scare|extort|legal|phish|account|listing|award/,
  ],
  ['shop and adult', /casino|pill|pharma|dating|adult|replica|shop|bet|supplement/],
  ['bots and gibberish', /gibberish|bot|random|test|garbage|template/],
  [
    'services for companies',
    /clean|fleet|fuel|energy|telecom|print|translat|logist|factory|supplier|recruit|pr-|video|list|data/,
  ],
];
const GOOD_FAMILIES = new Set(FAMILIES.slice(0, 4).map(([name]) => name));

const judge = (leads: readonly LabelledLead[]): JudgedLead[] =>
  leads.map((lead) => ({ ...lead, good: lead.label === 'good', ...scoreLead(lead.body, lead.fields) }));

const { values } = parseArgs({ options: { leads: { type: 'string' } } });
try {
  if (values.leads === undefined) reportRepository();
  else reportOwn(values.leads);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function reportRepository(): void {
  const held = judge([...readEarlierLeads('held-out'), ...readLabelledLeads('held-out')]);
  const training = judge(readLabelledLeads('training'));
  print(`Labelled leads: ${held.length} held out, ${training.length} for training`);
  print(goals(held, training));
  details('held-out leads', held);
  const hard = judge(readLabelledLeads('hard-facts'));
  const right = share(hard, ({ good, clean }) => good === clean);
  print(`Hard cases, held out: ${hard.length} leads, ${(100 * right).toFixed(1)} % right (goal: 95 %)`);
  print(confusion(hard, ({ label, kind }) => `${label}: ${kind}`));
}

/** The same tables for leads of one's own. Nothing is stored. */
function reportOwn(file: string): void {
  const own = judge(readOwnLeads(file));
  print(`${file}: ${own.length} leads`);
  print(goals(own));
  details('your leads', own);
}

function goals(leads: readonly JudgedLead[], training?: readonly JudgedLead[]): string {
  const measured = measure(leads);
  const trained = training && measure(training);
  return table(
    ['', training ? 'held out' : 'measured', 'goal', 'met', ...(training ? ['training'] : [])],
    GOALS.map(([label, of, goal, atMost]) => [
      label,
      measured[of].toFixed(3),
      `${atMost ? '≤' : '≥'} ${goal}`,
      (atMost ? measured[of] <= goal : measured[of] >= goal) ? 'yes' : 'NO',
      ...(trained ? [trained[of].toFixed(3)] : []),
    ]),
  );
}

function details(name: string, leads: readonly JudgedLead[]): void {
  print(`Calibration on ${name}: the share of good leads in each tenth of the scale, at 50 % bad`);
  print(
    table(
      ['score', 'leads', 'good', '95 % interval', 'agrees'],
      calibration(leads).map(({ from, leads: count, goodShare, low, high, agrees }) => [
        `${from}–${from + 10}`,
        count,
        count === 0 ? '–' : goodShare.toFixed(2),
        count === 0 ? '–' : `${low.toFixed(2)}–${high.toFixed(2)}`,
        agrees ? 'yes' : 'NO',
      ]),
    ),
  );
  print(`By language: ${name}`);
  print(confusion(leads, ({ language }) => language));
  print(`By batch: ${name}`);
  print(confusion(leads, ({ batch }) => batch));
  print(`By kind: ${name}`);
  print(confusion(leads, kindOf));
}

/** Authors named kinds freely. The first family whose words occur in the name counts. */
function kindOf({ label, kind }: LabelledLead): string {
  const family = FAMILIES.find(([, words]) => words.test(kind))?.[0] ?? 'other';
  return `${label}: ${label === 'good' ? (GOOD_FAMILIES.has(family) ? family : 'other') : family}`;
}

/** Kept and lost, good and bad, for each group. */
function confusion(leads: readonly JudgedLead[], groupOf: (lead: JudgedLead) => string): string {
  const groups = Object.entries(Object.groupBy(leads, groupOf)).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return table(
    ['', 'good kept', 'good lost', 'bad caught', 'bad missed', 'right'],
    groups.map(([name, group = []]) => {
      const count = (good: boolean, clean: boolean) =>
        group.filter((lead) => lead.good === good && lead.clean === clean).length;
      return [
        name,
        count(true, true),
        count(true, false),
        count(false, false),
        count(false, true),
        share(group, ({ good, clean }) => good === clean).toFixed(2),
      ];
    }),
  );
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const texts = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => [...(row[column] ?? '')].length)));
  return texts
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function print(text: string): void {
  process.stdout.write(`${text}\n\n`);
}
