import { tablesFromEnvironment } from '../environment.ts';
import { makeDocumentClient } from '../stores/document-client.ts';
import { makeRejectionLedger } from '../stores/rejection-ledger.ts';
import { makeFunctionLog } from '../telemetry/function-log.ts';
import type { RecorderDependencies } from './handler.ts';

export function recorderDependencies(env: NodeJS.ProcessEnv): RecorderDependencies {
  const tables = tablesFromEnvironment(env, ['diagnostics']);
  const ledger = makeRejectionLedger({ client: makeDocumentClient(), tables });
  return { ledger, log: makeFunctionLog(Date.now), now: Date.now };
}
