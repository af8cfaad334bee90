import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findSignals } from '#scoring/score-lead.ts';
import { TextFeatures } from '#scoring/text-features.ts';
import { packModel } from '#scoring/text-model.ts';
import { CLEAN_FROM, type RuleName } from '#scoring/weights.ts';
import { type LabelledLead, readEarlierLeads, readLabelledLeads, readVerdicts } from './labelled-leads.ts';
import { type Example, type Expected, logOddsOf, type Model, trainModel } from './logistic-regression.ts';
import { calibration, measure } from './measure-scoring.ts';

/**
 * `npm run score:train`: trains the text model and the points of all signals from the labelled leads, and writes them
 * where scoring reads them. The same leads and rules always give the same result; a test trains again and compares.
 */

/** In points. Signals that few labelled leads have keep about this; the others are learned. None changes its sign. */
const EXPECTED: Readonly<Partial<Record<RuleName, number>>> = {
  email_plausible: 3,
  email_role_account: -1,
  email_plus_tag: -1,
  email_disposable: -10,
  email_mistyped: -3,
  email_no_public_suffix: -6,
  email_malformed: -3,
  email_scattered_dots: -15,
  email_gibberish: -5,
  phone_valid: 2,
  phone_possible: 1,
  phone_odd: -1,
  phone_invalid: -2,
  phone_fake: -8,
  name_plausible: 3,
  name_gibberish: -8,
  name_has_link: -20,
  name_bot_like: -10,
  company_given: 1,
  company_matches_website: 2,
  message_given: 1,
  message_gibberish: -15,
  message_no_language: -5,
  price_probe: -10,
  other_gibberish: -8,
  complete: 2,
  incomplete: -2,
  site_link: 1,
  own_link: -8,
  foreign_links: -20,
  many_links: -10,
  short_link: -12,
  throwaway_link: -12,
  mostly_link: -10,
  link_markup: -20,
  wallet_address: -15,
  sellers_price: -5,
  spam_address: -6,
  mixed_scripts: -20,
  hidden_letters: -30,
  honeypot_filled: -25,
  sent_too_fast: -8,
  values_identical: -20,
  probe: -25,
  template_left_in: -20,
  test_address: -20,
  test_data: -20,
  says_test: -20,
  not_reachable: -5,
};

/**
 * Our authors gave sellers company addresses more often than customers. Whether that holds at any form is not known, so
 * the training accounts for it, and scoring does not use it.
 */
const NOT_USED: readonly RuleName[] = ['email_company_domain', 'email_free_mail'];

const POINTS = 10;
export const EXPECTED_LOG: Expected = Object.fromEntries(
  Object.entries(EXPECTED).map(([name, points]) => [name, points / POINTS]),
);

export function exampleOf({ label, body, fields }: Pick<LabelledLead, 'label' | 'body' | 'fields'>): Example {
  const { found, source } = findSignals(body, fields);
  const text = new TextFeatures(source);
  return {
    good: label === 'good',
    features: [...new Set(text.hashes)],
    parts: text.parts(),
    signals: [...found],
  };
}

export interface Trained {
  readonly model: Buffer;
  readonly points: Readonly<Record<string, number>>;
}

export function trainScoring(leads: readonly LabelledLead[]): Trained {
  const examples = leads.map(exampleOf);
  const confidence = confidenceIn(predictUnseen(leads, examples));
  const { features, signals } = train(examples);
  const pointsOf = (logOdds: number) => logOdds * confidence * POINTS;
  const points = Object.keys(EXPECTED).map((name) => [
    name,
    // Adding zero makes a zero of minus zero.
    Math.round(pointsOf(signals.get(name) ?? (EXPECTED_LOG[name] as number))) + 0,
  ]);
  return {
    model: packModel(new Map([...features].map(([hash, weight]) => [hash, pointsOf(weight)]))),
    points: Object.fromEntries([...points, ...NOT_USED.map((name) => [name, 0])]),
  };
}

function train(examples: readonly Example[]): Model {
  const { features, signals } = trainModel(examples, EXPECTED_LOG);
  return {
    features,
    signals: new Map([...signals].filter(([name]) => !NOT_USED.includes(name as RuleName))),
  };
}

interface Prediction {
  readonly misleading: boolean;
  readonly good: boolean;
  readonly logOdds: number;
}

const FOLDS = 6;

/** What models say of batches that they were not trained on. Nothing that is held out is looked at. */
function predictUnseen(leads: readonly LabelledLead[], examples: readonly Example[]): Prediction[] {
  const batches = [...new Set(leads.map(({ batch }) => batch))];
  return Array.from({ length: FOLDS }, (_, fold) => {
    const tested = new Set(batches.filter((_, index) => index % FOLDS === fold));
    const isTested = (_: Example, index: number) => tested.has(leads[index]?.batch ?? '');
    const model = train(examples.filter((example, index) => !isTested(example, index)));
    return examples.flatMap((example, index) => {
      if (!isTested(example, index)) return [];
      return {
        misleading: leads[index]?.misleading ?? false,
        good: example.good,
        logOdds: logOddsOf(model, example),
      };
    });
  }).flat();
}

/** The factor that makes log-odds mean what they say, by Newton's method: most likely for what was predicted. */
function confidenceIn(all: readonly Prediction[]): number {
  const predictions = all.filter(({ misleading }) => !misleading);
  let factor = 1;
  for (let round = 0; round < 20; round += 1) {
    let [slope, curve] = [0, 0];
    for (const { good, logOdds } of predictions) {
      const probability = 1 / (1 + Math.exp(-factor * logOdds));
      slope += ((good ? 1 : 0) - probability) * logOdds;
      curve += probability * (1 - probability) * logOdds * logOdds;
    }
    factor += slope / curve;
  }
  return factor;
}

/** How the score does on batches that it was not trained on, to choose between rules without the held-out leads. */
function crossValidate(leads: readonly LabelledLead[]): void {
  const predictions = predictUnseen(leads, leads.map(exampleOf));
  const confidence = confidenceIn(predictions);
  const judged = predictions.map(({ good, logOdds }) => {
    const score = Math.round(100 / (1 + Math.exp(-confidence * logOdds)));
    return { good, score, clean: score >= CLEAN_FROM, grade: score >= 90 ? 'A' : 'B' };
  });
  console.table({ ...measure(judged), confidence });
  console.table(calibration(judged));
}

/** Writes the points of a table: the first number behind a signal's name. */
function writePoints(file: URL, points: Trained['points'], row: (name: string) => RegExp): void {
  let text = readFileSync(file, 'utf8');
  for (const [name, value] of Object.entries(points)) {
    text = text.replace(row(name), (_, before: string, number: string) => {
      return before + String(value).padStart(number.startsWith(' ') ? number.length : 0);
    });
  }
  writeFileSync(file, text);
}

/** What scoring in this repository is trained from. */
export function trainingLeads(): LabelledLead[] {
  return [...readEarlierLeads('development'), ...readLabelledLeads('training')];
}

function run(): void {
  const { values } = parseArgs({
    options: {
      'cross-validate': { type: 'boolean', default: false },
      with: { type: 'string', multiple: true, default: [] },
    },
  });
  const leads = [...trainingLeads(), ...values.with.flatMap(readVerdicts)];
  if (values['cross-validate']) crossValidate(leads);
  else writeAll(trainScoring(leads), leads.length);
}

function writeAll({ model, points }: Trained, leads: number): void {
  writeFileSync(new URL('../lambdas/scoring/text-model.bin', import.meta.url), model);
  writePoints(
    new URL('../lambdas/scoring/weights.ts', import.meta.url),
    points,
    (name) => new RegExp(`^( {2}${name}: \\[\\s*)(-?\\d+)(?=,)`, 'm'),
  );
  writePoints(
    new URL('../docs/scoring.md', import.meta.url),
    points,
    (name) => new RegExp(`^(\\| \`${name}\` +\\|)( +-?\\d+)(?= \\|)`, 'm'),
  );
  process.stdout.write(
    `Trained from ${leads} leads: ${model.length} bytes. Run npm run score:report to measure it.\n`,
  );
}

if (import.meta.main) {
  try {
    run();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
