import { readFileSync } from 'node:fs';
import { localStack } from '../local-stack.ts';
import { fill } from './corpus.ts';
import { exchange } from './exchange.ts';
import { makeJudge } from './judge.ts';
import { makeRandom } from './random.ts';
import { readAsServer } from './read-as-server.ts';
import type { World } from './world.ts';

/** Sends one request, and shows what was due and what came. */
export async function replay(file: string, world: World): Promise<boolean> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const bytes = await fill(readFileSync(file), makeRandom(1, 0), world, nowSeconds);
  const reading = await readAsServer(bytes);
  const judge = makeJudge(world);
  const due = judge.expect(reading, nowSeconds);
  const kindsDue = due.map((each) => each.kinds.join(' or '));
  console.log(`Read as ${due.length} requests, then ${reading.rest}. Due: ${kindsDue.join(', ')}`);
  const outcome = await exchange(new URL(localStack().ingestUrl), { bytes }, reading);
  for (const { status, headers, body } of outcome.answers) {
    console.log(`${status} ${body}`, Object.fromEntries(headers));
  }
  const { faults, kinds, closedSilently } = judge.judge({ bytes }, reading, due, outcome);
  console.log(`Got: ${kinds.join(', ')}${closedSilently ? ', then a closed connection' : ''}`);
  for (const fault of faults) console.log(`✗ ${fault}`);
  return faults.length === 0;
}
