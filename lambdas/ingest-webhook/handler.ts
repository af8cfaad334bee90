import { judgeSignedRequest, type SlugConfiguration } from '../core/judge-signed-request.ts';
import { Rejection } from '../core/rejection.ts';
import { isSlug } from '../core/slug.ts';
import { type IngestDependencies, ingestPipeline } from '../ingest-pipeline.ts';
import type { Submission } from '../middleware/submission.ts';
import type { ConfigurationSource } from '../stores/configuration-source.ts';

export interface IngestWebhookDependencies extends IngestDependencies {
  readonly slugs: ConfigurationSource<SlugConfiguration>;
}

/** Surface 1b: a webhook provider who signs the timestamp and the bytes of the body. */
export function makeIngestWebhook(dependencies: IngestWebhookDependencies) {
  return ingestPipeline(
    '1b',
    {
      source: dependencies.slugs,
      nothing: { forms: [], secrets: [] },
      keyOf: requireSlug,
      judge: (configuration, { headers, body, receivedAtMilliseconds }) =>
        judgeSignedRequest(configuration, {
          headers,
          body: body.bytes() ?? NO_BYTES,
          nowMilliseconds: receivedAtMilliseconds,
        }),
    },
    dependencies,
  );
}

const NO_BYTES = Buffer.alloc(0);

/** What no form can have needs no look-up, and would be no valid key of a table. */
function requireSlug({ slug }: Submission): string {
  if (slug === undefined || !isSlug(slug)) throw new Rejection('form_not_found', { problem: 'not a slug' });
  return slug;
}
