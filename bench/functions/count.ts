import type { RunningStack } from '../../local/fixture/running-stack.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import type { Bundles } from '../engines/bundles.ts';
import { makeCapacity } from '../units/capacity.ts';
import { type Kit, openKit, type StackTemplate, type Work } from './kit.ts';
import { WORKS } from './works.ts';

/** What a function of the template uses for one unit of its work, in a warm environment. */
export interface FunctionCount {
  readonly fn: string;
  readonly work: string;
  readonly dynamoDbCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** To SQS, Cognito and other services, and to the owners' servers. */
  readonly otherCalls: number;
  /** To and from all of these, without headers. */
  readonly bytes: number;
}

/** Counts in the deployed bundle of each function, with the variables that the template gives it. */
export async function countFunctions(
  stack: RunningStack,
  bundles: Bundles,
  template: StackTemplate,
): Promise<FunctionCount[]> {
  const closers = makeClosers();
  try {
    const kit = await openKit(stack, bundles, template, closers);
    const counts: FunctionCount[] = [];
    for (const { name } of template.functions) {
      for (const [work, begin] of Object.entries(WORKS[name] ?? {})) {
        counts.push({ fn: name, work, ...(await countWork(name, await begin(kit), kit)) });
      }
      await kit.rest();
    }
    return counts;
  } finally {
    await closers.close();
  }
}

type Counted = Omit<FunctionCount, 'fn' | 'work'>;

const ROUNDS = 2;

/** The smaller of two, after a first one that finds nothing in memory: when a minute begins, a function reads again. */
export async function countWork(fn: string, next: Awaited<ReturnType<Work>>, kit: Kit) {
  const observer = kit.stack.newClient();
  const capacityOf = makeCapacity(observer);
  const counted: Counted[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const events = [await next()].flat();
    kit.services.reset();
    for (const event of events) await kit.invoke(fn, event);
    const { services } = kit;
    const { readUnits, writeUnits } = await capacityOf(services.dynamoDb());
    const [dynamoDbCalls, otherCalls] = [services.dynamoDb().length, services.others().length];
    if (round > 0)
      counted.push({ dynamoDbCalls, readUnits, writeUnits, otherCalls, bytes: services.bytes() });
  }
  observer.destroy();
  const least = (name: keyof Counted) => Math.min(...counted.map((each) => each[name]));
  return {
    dynamoDbCalls: least('dynamoDbCalls'),
    readUnits: least('readUnits'),
    writeUnits: least('writeUnits'),
    otherCalls: least('otherCalls'),
    bytes: least('bytes'),
  };
}
