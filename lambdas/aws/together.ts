import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { batchGet, type ItemAddress } from './dynamodb.ts';

/** The parts of a batch that work at the same time, each on its own, and make some of their calls together. */
export interface Together {
  /**
   * Waits until all parts that have not ended wait as well. Then there is one call for all questions of a name, the one
   * that came with the first of them.
   */
  ask<Question, Answer>(
    name: string,
    question: Question,
    answerAll: AnswerAll<Question, Answer>,
  ): Promise<Answer>;
  /** A part has ended: nobody waits for it any more. */
  leave(): void;
}

/** One answer for each question, in their order. */
export type AnswerAll<Question, Answer> = (questions: readonly Question[]) => Promise<readonly Answer[]>;

interface Waiting {
  readonly name: string;
  readonly question: unknown;
  readonly answerAll: AnswerAll<unknown, unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A part that takes longer, for example because it is throttled, must not hold up the others. */
const PATIENCE_MS = 1_000;

export function makeTogether(parts: number): Together {
  let working = parts;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  function answer(): void {
    clearTimeout(timer);
    const asked = Object.groupBy(waiting, ({ name }) => name);
    waiting = [];
    for (const group of Object.values(asked)) void answerGroup(group as [Waiting, ...Waiting[]]);
  }

  function answerIfAllWait(): void {
    if (waiting.length > 0 && waiting.length >= working) answer();
  }

  return {
    ask<Question, Answer>(name: string, question: Question, answerAll: AnswerAll<Question, Answer>) {
      return new Promise<Answer>((resolve, reject) => {
        if (waiting.length === 0) timer = setTimeout(answer, PATIENCE_MS);
        waiting.push({ name, question, answerAll, resolve, reject } as Waiting);
        answerIfAllWait();
      });
    },
    leave() {
      working -= 1;
      answerIfAllWait();
    },
  };
}

/** If the common call fails, each part gets its own, so that one's failure is not another's. */
async function answerGroup(group: readonly [Waiting, ...Waiting[]]): Promise<void> {
  const [first] = group;
  try {
    const answers = await first.answerAll(group.map(({ question }) => question));
    for (const [index, { resolve }] of group.entries()) resolve(answers[index]);
  } catch (error) {
    if (group.length === 1) first.reject(error);
    else await Promise.all(group.map((each) => answerGroup([each])));
  }
}

type Items = Awaited<ReturnType<typeof batchGet>>;

/** Reads items as `batchGet` does. */
export type ReadItems = (addresses: readonly ItemAddress[], signal: AbortSignal) => Promise<Items>;

/** As many keys as one batch reads. */
const READ_AT_ONCE = 100;

/** What all parts ask for, each key once, in as few calls as possible. */
export function readTogether(client: DynamoDBDocumentClient, together: Together): ReadItems {
  return (addresses, signal) =>
    together.ask('read', addresses, async (asked) => {
      const wanted = new Map(asked.flat().map((address) => [nameOf(address), address]));
      const names = [...wanted.keys()];
      const items = new Map<string, Items[number]>();
      for (let from = 0; from < names.length; from += READ_AT_ONCE) {
        const some = names.slice(from, from + READ_AT_ONCE);
        const read = await batchGet(
          client,
          some.map((name) => wanted.get(name) as ItemAddress),
          signal,
        );
        for (const [index, name] of some.entries()) items.set(name, read[index]);
      }
      return asked.map((own) => own.map((address) => items.get(nameOf(address))));
    });
}

const nameOf = ({ table, key }: ItemAddress): string => JSON.stringify([table, key]);
