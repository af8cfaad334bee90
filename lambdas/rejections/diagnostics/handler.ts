import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { tablesFromEnvironment } from '../../contract.ts';
import { ALL_SURFACES } from '../../model/limits.ts';
import { REASONS } from '../../model/reasons.ts';
import {
  cursor,
  oneOf,
  optional,
  RANGE,
  rangeOf,
  readFields,
  text,
  wholeNumberText,
} from '../../owner-api/fields.ts';
import { type OwnerPipelineDependencies, ownerPipeline, route } from '../../owner-api/owner-pipeline.ts';
import { makeOwnerTelemetry } from '../../owner-api/owner-request.ts';
import { ok, Problem } from '../../owner-api/problem.ts';
import { type DiagnosticsReader, makeDiagnosticsReader } from '../diagnostics-store.ts';
import { NO_FORM } from '../rejection-counts.ts';

export interface DiagnosticsReadDependencies extends OwnerPipelineDependencies {
  readonly reader: DiagnosticsReader;
}

const COUNTS = { ...RANGE, by: optional(oneOf(['minute', 'hour'])) };
const EVENTS = {
  cursor,
  limit: optional(wholeNumberText({ min: 1, max: 100 })),
  kind: optional(oneOf(['rejections', 'reusedKeys'])),
  surface: optional(oneOf(ALL_SURFACES)),
  form: optional(text({ min: 1, max: 200 })),
  reason: optional(oneOf(REASONS)),
};

const NOT_KEPT =
  'No rejection found with this request ID. The request may have been accepted, sent to an unknown URL or with an ' +
  'unknown token, or be too old: rejections are kept for 30 days if the sender was authenticated, otherwise for one ' +
  'day. Requests with another method than POST or with more than 10 MB are not recorded.';

/** Why submissions were rejected: the small read function, which can query three tables and nothing else. */
export function makeDiagnosticsRead(dependencies: DiagnosticsReadDependencies) {
  const { reader, now } = dependencies;
  return ownerPipeline('diagnostics', dependencies, [
    route('getDiagnostics', async ({ workspaceId, query, signal }) => {
      const { by: bucket = 'hour', ...range } = readFields(query, COUNTS);
      const summary = await reader.summary({ workspaceId, bucket, ...rangeOf(range, now()) }, signal);
      return ok({ by: bucket, ...summary });
    }),

    route('listEvents', async ({ workspaceId, query, signal }) => {
      const { limit = 50, form, kind, ...asked } = readFields(query, EVENTS);
      const formId = form === NO_FORM ? null : form;
      const reusedKeys = kind === 'reusedKeys';
      return ok(await reader.events({ workspaceId, limit, formId, reusedKeys, ...asked }, signal));
    }),

    route('getEvent', async (request) => {
      readFields(request.query, {});
      const { workspaceId, parameter, signal } = request;
      const [event, ...otherMatches] = await reader.lookUp(workspaceId, parameter('requestId'), signal);
      if (!event) throw new Problem('not-found', { detail: NOT_KEPT });
      // Clients can choose request ids, so there may be several requests with this one.
      return ok({ ...event, otherMatches });
    }),
  ]);
}

/** Below the function's timeout, so that the caller gets a response. */
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
