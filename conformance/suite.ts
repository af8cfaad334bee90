import { CannotBeTried, hideSecrets } from './checks/expectations.ts';
import { runRow } from './checks/run-row.ts';
import type { Case, CheckedRow, Row, Section, Trial } from './row.ts';
import { BEARER } from './rows/bearer.ts';
import { BROWSER_SDK } from './rows/browser.ts';
import { ENDPOINTS, HEADERS } from './rows/endpoints.ts';
import { ERRORS } from './rows/errors.ts';
import { HMAC } from './rows/hmac.ts';
import { IDEMPOTENCY } from './rows/idempotency.ts';
import { LIMIT_RULES, LIMITS } from './rows/limits.ts';
import { REQUEST_BODY } from './rows/request-body.ts';
import { RESOURCES } from './rows/resources.ts';
import { SERVICE, STATES } from './rows/service.ts';
import { SOURCES } from './rows/sources.ts';
import { VERSIONING } from './rows/versioning.ts';
import type { Sender } from './world/submission.ts';
import type { World } from './world/world.ts';

/** The specification, section by section, in its order, and then what it does not know. */
export const SUITE: readonly Section[] = [
  SERVICE,
  ...RESOURCES,
  STATES,
  ENDPOINTS,
  REQUEST_BODY,
  HEADERS,
  IDEMPOTENCY,
  BEARER,
  HMAC,
  BROWSER_SDK,
  { id: 'events', title: 'Events', about: 'The specification defines none.', rows: [] },
  ...ERRORS,
  LIMITS,
  LIMIT_RULES,
  VERSIONING,
  SOURCES,
];

export interface Outcome extends Case {
  /** `untried`: no response came, so nobody knows whether the rule holds. */
  readonly result: 'passed' | 'failed' | 'skipped' | 'untried';
  /** What was expected and what came, or why it was skipped or could not be tried. */
  readonly message?: string;
  readonly milliseconds: number;
}

export function count(outcomes: readonly Outcome[], result: Outcome['result']): number {
  return outcomes.filter((each) => each.result === result).length;
}

interface Options {
  /** Leaves out the rows that use up a limit. */
  readonly quick: boolean;
  /** Starts the burst when nothing else is being sent. */
  readonly gentle: boolean;
  /** Called with the number of cases that are prepared, and then with the number that are done. */
  readonly onProgress?: (step: 'preparing the rows' | 'running the rows', done: number) => void;
}

type When = CheckedRow['when'];
type Verdict = Omit<Outcome, keyof Case>;

/** A case that runs. With a verdict, nothing is left to do. */
interface Attempt {
  readonly when: When;
  readonly check: () => Promise<void>;
  verdict: Verdict | undefined;
}

const CONCURRENCY = 6;
export const LEFT_OUT = 'left out by --quick';

/** Runs every case and returns the outcomes in the order of the cases. No error of a case ends the run. */
export async function runCases(cases: readonly Case[], world: World, options: Options): Promise<Outcome[]> {
  let prepared = 0;
  const preparing = prepareAll(cases, world, options).map(async (each) => {
    const attempt = await each;
    prepared += 1;
    options.onProgress?.('preparing the rows', prepared);
    return attempt;
  });
  const attempts = await Promise.all(preparing);
  const unique = [...new Set(attempts)];
  const waiting = (when: When) => unique.filter((each) => each.verdict === undefined && each.when === when);
  const settle = async (attempt: Attempt) => {
    attempt.verdict = await verdictOn(attempt.check, world.signal);
    options.onProgress?.('running the rows', attempts.filter(({ verdict }) => verdict !== undefined).length);
  };
  const rows = inTurns(waiting(undefined), settle);
  if (options.gentle) await rows;
  // The rows of the burst wait for each other, and mostly for a minute to begin.
  await Promise.all([rows, ...waiting('burst').map(settle)]);
  await inTurns(waiting('last'), settle);
  return cases.map((each, index) => ({ ...each, ...(attempts[index]?.verdict as Verdict) }));
}

/** The specification states some rules in several sections: each is checked once, and reported in each section. */
function prepareAll(cases: readonly Case[], world: World, options: Options): Promise<Attempt>[] {
  const begun: { readonly first: Case; readonly attempt: Promise<Attempt> }[] = [];
  return cases.map((each) => {
    const same = begun.find(
      ({ first }) => first.surface === each.surface && isSameCheck(first.row, each.row),
    );
    if (same) return same.attempt;
    const attempt = prepare(each, world, options);
    begun.push({ first: each, attempt });
    return attempt;
  });
}

function isSameCheck(one: Row, other: Row): boolean {
  if ('skipped' in one || 'skipped' in other || one.arrange !== other.arrange) return false;
  if ('check' in one) return 'check' in other && one.check === other.check;
  if ('check' in other) return false;
  return one.send === other.send && one.examples === other.examples && one.expect === other.expect;
}

/** Arranges a case. If that fails, the case has failed. */
async function prepare({ row, surface }: Case, world: World, { quick }: Options): Promise<Attempt> {
  const known = (when: When, verdict: Verdict): Attempt => ({ when, verdict, check: async () => {} });
  const skipped = (message: string) => known(undefined, { result: 'skipped', message, milliseconds: 0 });
  if ('skipped' in row) return skipped(row.skipped);
  const when = 'when' in row ? row.when : undefined;
  if (quick && when === 'burst') return skipped(LEFT_OUT);
  try {
    const ownForm = surface !== undefined && when === undefined;
    const sender = ownForm ? await world.main.newSender() : world.main.sender;
    const trial = trialOf(world, surface, sender);
    const arranged = row.arrange
      ? trialOf(world, surface, { ...sender, ...(await row.arrange(trial)) })
      : trial;
    return { when, check: () => runRow(row, arranged), verdict: undefined };
  } catch (error) {
    return known(when, { ...verdictOf(error), milliseconds: 0 });
  }
}

function trialOf(world: World, given: Trial['surface'] | undefined, sender: Sender): Trial {
  const surface = given ?? '1b';
  return { world, surface, sender, submit: (submission) => world.submit(surface, sender, submission) };
}

async function verdictOn(check: () => Promise<void>, signal: AbortSignal): Promise<Verdict> {
  const began = performance.now();
  const verdict = (result: Outcome['result'], message?: string): Verdict => ({
    result,
    ...(message !== undefined && { message }),
    milliseconds: performance.now() - began,
  });
  if (signal.aborted) return verdict('skipped', 'interrupted');
  try {
    await check();
    return verdict('passed');
  } catch (error) {
    if (signal.aborted) return verdict('skipped', 'interrupted');
    if (error instanceof CannotBeTried) return verdict('skipped', error.message);
    const { result, message } = verdictOf(error);
    return verdict(result, message);
  }
}

/** Whether the rule does not hold, or nobody answered. */
function verdictOf(error: unknown): { readonly result: 'failed' | 'untried'; readonly message: string } {
  // Not instanceof: a time limit throws a DOMException.
  const { name, message, code } = Object(error) as NodeJS.ErrnoException;
  const isOutage = /^E[A-Z]+$/.test(code ?? '') || /^(Timeout|Networking|Abort)Error$/.test(name);
  const text = hideSecrets(message || name || String(error));
  if (isOutage) return { result: 'untried', message: text };
  return { result: 'failed', message: name === 'Mismatch' ? text : `internal error of the test: ${text}` };
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
