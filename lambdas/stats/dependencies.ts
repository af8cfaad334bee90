import { tablesFromEnvironment } from '../environment.ts';
import { makeDocumentClient } from '../stores/document-client.ts';
import { makeLeadStats } from '../stores/lead-stats.ts';
import { makeFunctionLog } from '../telemetry/function-log.ts';
import type { StatsDependencies } from './handler.ts';

export function statsDependencies(env: NodeJS.ProcessEnv): StatsDependencies {
  const tables = tablesFromEnvironment(env, ['stats']);
  const stats = makeLeadStats({ client: makeDocumentClient(), tables });
  return { stats, log: makeFunctionLog(Date.now), now: Date.now };
}
