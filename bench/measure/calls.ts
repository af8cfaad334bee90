import type { Surface } from '../../lambdas/submission/limits.ts';
import {
  REJECTED,
  type Request,
  type Sender,
  submissionId,
  type Workbench,
} from '../../test/lambdas/ingest/workbench.ts';
import { REJECTIONS, type RejectionScenario } from './rejection-scenarios.ts';

/** How many DynamoDB calls a submission waits for one after the other, by what becomes of it. */
export interface CallCount {
  readonly name: string;
  readonly surface: Surface;
  readonly warm: number;
  readonly cold: number;
}

const KEYED: Request = { headers: { 'X-SVC-Idempotency-Key': 'measured' } };

/** Counted at the client. Warm: the function has accepted from this sender and has seen what was changed since. */
export async function countCalls(bench: Workbench): Promise<CallCount[]> {
  const counts: CallCount[] = [];
  for (const surface of ['1a', '1b'] as const) {
    counts.push(await countAccepted(bench, surface, 'accepted', {}));
    counts.push(await countAccepted(bench, surface, 'accepted, with key', KEYED));
    counts.push(await countReplay(bench, surface));
    counts.push(await countLimitedWithKey(bench, surface));
  }
  for (const scenario of REJECTIONS) counts.push(await countRejection(bench, scenario));
  return counts;
}

async function countAccepted(
  bench: Workbench,
  surface: Surface,
  name: string,
  request: Request,
): Promise<CallCount> {
  const run = async (state: 'warm' | 'cold') => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    if (state === 'warm') submissionId(await environment.send(surface, sender));
    bench.calls.reset();
    submissionId(await environment.send(surface, sender, request));
    return bench.calls.inSequence();
  };
  return { name, surface, warm: await run('warm'), cold: await run('cold') };
}

async function countReplay(bench: Workbench, surface: Surface): Promise<CallCount> {
  const run = async (state: 'warm' | 'cold') => {
    const sender = await bench.newSender();
    const first = bench.newEnvironment();
    const original = submissionId(await first.send(surface, sender, KEYED));
    const environment = state === 'warm' ? first : bench.newEnvironment();
    bench.calls.reset();
    const replay = submissionId(await environment.send(surface, sender, KEYED));
    if (replay !== original) throw new Error('the replay made a lead of its own');
    return bench.calls.inSequence();
  };
  return { name: 'replay', surface, warm: await run('warm'), cold: await run('cold') };
}

function countRejection(bench: Workbench, scenario: RejectionScenario): Promise<CallCount> {
  return countRejected(bench, scenario, scenario.reason);
}

/** The longest way to a rejection: key, gate, the marker that duplicates agree by, the record. */
function countLimitedWithKey(bench: Workbench, surface: Surface): Promise<CallCount> {
  const scenario = REJECTIONS.find(
    (each) => each.reason === 'rate_limited_minute' && each.surface === surface,
  );
  if (!scenario) throw new Error('there is no such scenario');
  return countRejected(bench, { ...scenario, request: KEYED }, 'rate_limited_minute, with key');
}

async function countRejected(
  bench: Workbench,
  scenario: RejectionScenario,
  name: string,
): Promise<CallCount> {
  const { surface, arrange, alter, request } = scenario;
  const run = async (state: 'warm' | 'cold') => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    if (state === 'warm') submissionId(await environment.send(surface, sender));
    await arrange?.(bench, sender);
    const asSent: Sender = { ...sender, ...alter?.(sender) };
    if (state === 'warm' && arrange) await environment.send(surface, asSent, request);
    bench.calls.reset();
    const answer = await environment.send(surface, asSent, request);
    if (answer.body !== REJECTED.body) throw new Error(`${name} was not rejected`);
    const { reason } = JSON.parse(environment.logLines.at(-1) ?? '{}') as { reason?: string };
    if (reason !== scenario.reason) throw new Error(`${name} was rejected as ${reason}`);
    return bench.calls.inSequence();
  };
  return { name, surface, warm: await run('warm'), cold: await run('cold') };
}
