import { createHash } from 'node:crypto';
import type { Tenant } from '../contract/tenant.ts';
import type { Delivery, Outcome } from './exchange.ts';
import { type Expectation, expected, type Kind } from './model.ts';
import { kindOf, submissionIdOf, type WireAnswer } from './read-answers.ts';
import type { Reading } from './read-as-server.ts';
import type { World } from './world.ts';

/** What came of one connection. */
export interface Verdict {
  /** Of each answer that is allowed at all. */
  readonly kinds: readonly Kind[];
  /** The server closed the connection without a word, where it may. */
  readonly closedSilently: boolean;
  readonly faults: readonly string[];
}

/** What the promises say of answers that belong together. */
export interface Judge {
  /** What is due, by the model and by what is known of the keys before it is sent. */
  expect(reading: Reading, nowSeconds: number): Expectation[];
  judge(delivery: Delivery, reading: Reading, due: readonly Expectation[], outcome: Outcome): Verdict;
  /** Every lead that a sender was told of: by its id, a digest of the body that made it where that is certain. */
  readonly leads: ReadonlyMap<string, string | undefined>;
  /** How many submissions may have made a lead that no sender has heard of. */
  readonly unheard: () => number;
}

/** So many are enough to meet again, and no more are kept. */
const MOST_KEYS = 20_000;

export function makeJudge(world: World): Judge {
  const idsByKey = new Map<string, string>();
  const leads = new Map<string, string | undefined>();
  let unheard = 0;

  function judgeAcceptance({ tenant, key }: Expectation, answer: WireAnswer, body: Buffer): string[] {
    const id = submissionIdOf(answer) as string;
    if (tenant === undefined) return [];
    if (key === undefined) {
      if (leads.has(id)) return [`the submission id ${id} was given twice`];
      leads.set(id, digestOf(body));
      return [];
    }
    if (!leads.has(id)) leads.set(id, undefined);
    const name = nameOf(tenant, key);
    const known = idsByKey.get(name);
    if (known !== undefined && known !== id) return [`one key has two leads: ${known} and ${id}`];
    idsByKey.set(name, id);
    if (idsByKey.size > MOST_KEYS) idsByKey.delete(idsByKey.keys().next().value as string);
    return [];
  }

  function judgeAnswer(
    answer: WireAnswer,
    at: number,
    reading: Reading,
    expectations: readonly Expectation[],
  ) {
    const request = reading.requests[at];
    const expectation = expectations[at] ?? { kinds: ['gateway'] as const };
    const kind = kindOf(answer, request?.method ?? reading.unfinishedMethod);
    if (kind === undefined) return { kind, faults: [`an answer that is not allowed: ${describe(answer)}`] };
    if (!expectation.kinds.includes(kind)) {
      return { kind, faults: [`${kind}, where ${expectation.kinds.join(' or ')} was due`] };
    }
    const isLead = kind === 'accepted' && request !== undefined;
    return { kind, faults: isLead ? judgeAcceptance(expectation, answer, request.body) : [] };
  }

  return {
    leads,
    unheard: () => unheard,
    expect(reading, nowSeconds) {
      return reading.requests.map((request) => {
        const expectation = expected(request, world, nowSeconds);
        const { repeatable, tenant, key } = expectation;
        if (!repeatable || tenant === undefined || key === undefined) return expectation;
        // One that is not known may be made while this is under way.
        const isKnown = idsByKey.has(nameOf(tenant, key));
        return { ...expectation, kinds: isKnown ? ['accepted'] : ['accepted', 'rejected'] };
      });
    },
    judge(delivery, reading, expectations, outcome) {
      const { answers, closed, late, leftOver } = outcome;
      const judged = answers.map((answer, at) => judgeAnswer(answer, at, reading, expectations));
      unheard += expectations.slice(answers.length).filter(({ kinds }) => kinds.includes('accepted')).length;
      const faults = judged.flatMap((each) => each.faults);
      const gone = delivery.hangUpAfter !== undefined;
      const due = reading.requests.length + (reading.rest === 'not HTTP' ? 1 : 0);
      const most = due + (reading.rest === 'unfinished' ? 1 : 0);
      const saidClose = answers.at(-1)?.headers.get('connection') === 'close';
      // What is no HTTP gets an answer or none; the connection ends either way.
      const owed = reading.rest === 'not HTTP' ? due - 1 : due;
      if (late) faults.push(`no end in time: ${answers.length} of ${due} answers`);
      if (leftOver !== '' && !gone)
        faults.push(`bytes that are no answer: ${JSON.stringify(leftOver.slice(0, 200))}`);
      if (answers.length > most) faults.push(`${answers.length} answers to ${most} requests`);
      if (!gone && !late && answers.length < owed && !saidClose) {
        faults.push(`closed after ${answers.length} of ${due} answers`);
      }
      return {
        kinds: judged.flatMap(({ kind }) => kind ?? []),
        closedSilently: closed && answers.length < most,
        faults,
      };
    },
  };
}

function nameOf({ workspaceId }: Tenant, key: string): string {
  return `${workspaceId}\n${key}`;
}

export function digestOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('base64').slice(0, 16);
}

function describe({ status, headers, body }: WireAnswer): string {
  const names = [...headers].map(([name, value]) => `${name}: ${value}`);
  return `${status} ${JSON.stringify(body.slice(0, 200))} with ${names.join('; ')}`;
}
