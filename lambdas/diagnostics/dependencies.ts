import { tablesFromEnvironment } from '../environment.ts';
import { makeDocumentClient } from '../stores/document-client.ts';
import { makeDiagnosticsReader } from '../stores/owner/diagnostics-reader.ts';
import { makeOwnerTelemetry } from '../telemetry/owner-telemetry.ts';
import type { DiagnosticsReadDependencies } from './handler.ts';

/** Less than the function's own timeout, so that whoever waits gets an answer. */
const DEADLINE_MS = 8_000;

export function diagnosticsDependencies(env: NodeJS.ProcessEnv): DiagnosticsReadDependencies {
  const tables = tablesFromEnvironment(env, ['diagnostics', 'rejections', 'unauthenticatedRejections']);
  return {
    reader: makeDiagnosticsReader({ client: makeDocumentClient(), tables, now: Date.now }),
    telemetry: makeOwnerTelemetry('diagnostics', Date.now),
    now: Date.now,
    deadlineMilliseconds: DEADLINE_MS,
  };
}
