import { NO_FORM } from '../core/owner/no-form.ts';
import { REASONS } from '../core/reasons.ts';
import { SURFACES } from '../core/surfaces.ts';
import { ok } from '../middleware/settings/answers.ts';
import { oneOf, optional, readFields, text } from '../middleware/settings/fields.ts';
import { type OwnerPipelineDependencies, ownerPipeline } from '../middleware/settings/owner-pipeline.ts';
import { Problem } from '../middleware/settings/problem.ts';
import { cursor, RANGE, rangeOf, wholeNumberText } from '../middleware/settings/query-fields.ts';
import { route } from '../middleware/settings/route.ts';
import type { DiagnosticsReader } from '../stores/owner/diagnostics-reader.ts';

export interface DiagnosticsReadDependencies extends OwnerPipelineDependencies {
  readonly reader: DiagnosticsReader;
}

const COUNTS = { ...RANGE, by: optional(oneOf(['minute', 'hour'])) };
const EVENTS = {
  ...{ cursor, limit: optional(wholeNumberText({ least: 1, most: 100 })) },
  kind: optional(oneOf(['rejections', 'reusedKeys'])),
  surface: optional(oneOf(SURFACES)),
  form: optional(text({ least: 1, most: 200 })),
  reason: optional(oneOf(REASONS)),
};

const NOT_KEPT =
  'No rejection with this request id is kept. The request may have been accepted, have named no form or token of this ' +
  'workspace, or be too old: rejections are kept for 30 days if the sender was authenticated, and otherwise for one. ' +
  'Requests that are not a POST or are larger than 10 MB are rejected before it is known whose they are, and are not ' +
  'recorded.';

/** Why submissions were rejected: the small read function, which can query three tables and nothing else. */
export function makeDiagnosticsRead(dependencies: DiagnosticsReadDependencies) {
  const { reader, now } = dependencies;
  return ownerPipeline(dependencies, [
    route('GET /settings/diagnostics', async ({ workspaceId, query, signal }) => {
      const { by: bucket = 'hour', ...range } = readFields(query, COUNTS);
      const summary = await reader.summary({ workspaceId, bucket, ...rangeOf(range, now()) }, signal);
      return ok({ by: bucket, ...summary });
    }),

    route('GET /settings/diagnostics/events', async ({ workspaceId, query, signal }) => {
      const { limit = 50, form, kind, ...asked } = readFields(query, EVENTS);
      const formId = form === NO_FORM ? null : form;
      const reusedKeys = kind === 'reusedKeys';
      return ok(await reader.events({ workspaceId, limit, formId, reusedKeys, ...asked }, signal));
    }),

    route('GET /settings/diagnostics/requests/{requestId}', async (request) => {
      readFields(request.query, {});
      const { workspaceId, parameter, signal } = request;
      const [event, ...otherMatches] = await reader.lookUp(workspaceId, parameter('requestId'), signal);
      if (!event) throw new Problem('not-found', { detail: NOT_KEPT });
      // Clients can choose request ids, so there may be several requests with this one.
      return ok({ ...event, otherMatches });
    }),
  ]);
}
