import type { Surface } from '../../lambdas/submission/limits.ts';
import {
  type IngestWorkbench,
  REJECTED,
  type Request,
  type Sender,
  submissionId,
} from '../../local/workbench/ingest-workbench.ts';
import { REJECTIONS, type RejectionScenario } from './rejection-scenarios.ts';

/** How many DynamoDB calls a submission waits for in sequence, by its outcome. */
export interface CallCount {
  readonly name: string;
  readonly surface: Surface;
  readonly warm: number;
  readonly cold: number;
}

const KEYED: Request = { headers: { 'X-SVC-Idempotency-Key': 'measured' } };

/** Counted at the client. Warm: the function has accepted a lead of this sender since the last change of settings. */
export async function countCalls(bench: IngestWorkbench): Promise<CallCount[]> {
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
  bench: IngestWorkbench,
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

async function countReplay(bench: IngestWorkbench, surface: Surface): Promise<CallCount> {
  const run = async (state: 'warm' | 'cold') => {
    const sender = await bench.newSender();
    const first = bench.newEnvironment();
    const original = submissionId(await first.send(surface, sender, KEYED));
    const environment = state === 'warm' ? first : bench.newEnvironment();
    bench.calls.reset();
    const replay = submissionId(await environment.send(surface, sender, KEYED));
    if (replay !== original) throw new Error('The replay created another lead');
    return bench.calls.inSequence();
  };
  return { name: 'replay', surface, warm: await run('warm'), cold: await run('cold') };
}

function countRejection(bench: IngestWorkbench, scenario: RejectionScenario): Promise<CallCount> {
  return countRejected(bench, scenario, scenario.reason);
}

/** The rejection with the most calls: key, gate, marker for duplicates, record. */
function countLimitedWithKey(bench: IngestWorkbench, surface: Surface): Promise<CallCount> {
  const scenario = REJECTIONS.find(
    (each) => each.reason === 'rate_limited_minute' && each.surface === surface,
  );
  if (!scenario) throw new Error('Unknown scenario');
  return countRejected(bench, { ...scenario, request: KEYED }, 'rate_limited_minute, with key');
}

async function countRejected(
  bench: IngestWorkbench,
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
