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
  surface: optional(oneOf(SURFACES)),
  form: optional(text({ least: 1, most: 200 })),
  reason: optional(oneOf(REASONS)),
};

const NOT_KEPT =
  'No detail is kept for this request id. The request may have been accepted, have named no form or token of this ' +
  'workspace, be over 30 days old, or have come in a minute with more rejections than are kept in detail; the counts ' +
  'include it then all the same. Or it was no POST, or larger than 10 MB: such requests are turned away before ' +
  'anybody looks whose they are, and are not counted.';

/** Why submissions were rejected: the small read function, which can query one table and nothing else. */
export function makeDiagnosticsRead(dependencies: DiagnosticsReadDependencies) {
  const { reader, now } = dependencies;
  return ownerPipeline(dependencies, [
    route('GET /settings/diagnostics', async ({ workspaceId, query, signal }) => {
      const { by: bucket = 'hour', ...range } = readFields(query, COUNTS);
      const summary = await reader.summary({ workspaceId, bucket, ...rangeOf(range, now()) }, signal);
      return ok({ by: bucket, ...summary });
    }),

    route('GET /settings/diagnostics/events', async ({ workspaceId, query, signal }) => {
      const { limit = 50, form, ...asked } = readFields(query, EVENTS);
      const formId = form === NO_FORM ? null : form;
      return ok(await reader.events({ workspaceId, limit, formId, ...asked }, signal));
    }),

    route('GET /settings/diagnostics/requests/{requestId}', async (request) => {
      readFields(request.query, {});
      const { workspaceId, parameter, signal } = request;
      const { event } = await reader.event(workspaceId, parameter('requestId'), signal);
      if (!event) throw new Problem('not-found', { detail: NOT_KEPT });
      return ok(event);
    }),
  ]);
}
