import { QUEUE_VARIABLES } from '../contract.ts';
import { requireVariable } from '../environment.ts';
import { makeEnrichmentQueue } from '../stores/enrichment-queue.ts';
import { makeQueueClient } from '../stores/queue-client.ts';
import { makeFunctionLog } from '../telemetry/function-log.ts';
import type { RelayDependencies } from './handler.ts';

export function relayDependencies(env: NodeJS.ProcessEnv): RelayDependencies {
  const queueUrl = requireVariable(env, QUEUE_VARIABLES.enrichment);
  return { queue: makeEnrichmentQueue(makeQueueClient(), queueUrl), log: makeFunctionLog(Date.now) };
}
