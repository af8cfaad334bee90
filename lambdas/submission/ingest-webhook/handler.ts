import { tablesFromEnvironment } from '../../contract.ts';
import { shortExplanation } from '../../debugger/short-explanation.ts';
import { isSlug } from '../../model/configuration.ts';
import { Rejection, type RejectionDetail } from '../../model/reasons.ts';
import { type ConfigurationSource, slugConfigurations } from '../configuration-store.ts';
import { runtimeDependencies, WRITTEN_TABLES } from '../ingest-dependencies.ts';
import { type IngestDependencies, ingestPipeline } from '../pipeline.ts';
import { judgeSignedRequest, type SlugConfiguration } from '../signed-request.ts';
import type { Submission } from '../submission.ts';

export interface IngestWebhookDependencies extends IngestDependencies {
  readonly slugs: ConfigurationSource<SlugConfiguration>;
}

/** Surface 1b: a webhook provider who signs the timestamp and the bytes of the body. */
export function makeIngestWebhook(dependencies: IngestWebhookDependencies) {
  return ingestPipeline(
    '1b',
    {
      source: dependencies.slugs,
      emptyConfiguration: { forms: [], secrets: [] },
      keyOf: requireSlug,
      judge: (configuration, { headers, body, receivedAtMilliseconds }) =>
        judgeSignedRequest(configuration, {
          headers,
          body: body.bytes() ?? NO_BYTES,
          nowMilliseconds: receivedAtMilliseconds,
        }),
      explain: likelyMistake,
    },
    dependencies,
  );
}

/** The common mistake that produces this signature with this form's own secrets. */
function likelyMistake({ forms, secrets }: SlugConfiguration, submission: Submission): RejectionDetail {
  const { headers, body, receivedAtMilliseconds } = submission;
  const secret = forms.length === 1 ? secrets.find(({ formId }) => formId === forms[0]?.formId) : undefined;
  const sent = (name: string) => headers.get(name)?.[0];
  const likely = shortExplanation(
    {
      timestamp: sent('x-svc-timestamp'),
      signature: sent('x-svc-signature'),
      body: body.bytes() ?? NO_BYTES,
    },
    {
      current: secret?.secret,
      ...(secret?.previousSecret !== undefined && {
        previous: {
          secret: secret.previousSecret,
          endsAtMilliseconds: secret.previousEndsAtMilliseconds ?? 0,
        },
      }),
    },
    receivedAtMilliseconds,
  );
  return likely === undefined ? {} : { likelyMistake: likely };
}

const NO_BYTES = Buffer.alloc(0);

/** An invalid slug needs no lookup, and may not even be a valid key. */
function requireSlug({ slug }: Submission): string {
  if (slug === undefined || !isSlug(slug)) throw new Rejection('form_not_found', { problem: 'not a slug' });
  return slug;
}

const TABLES = ['workspaces', 'forms', 'formSecrets', ...WRITTEN_TABLES] as const;

export function ingestWebhookDependencies(env: NodeJS.ProcessEnv): IngestWebhookDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const { client, dependencies } = runtimeDependencies(tables);
  return { ...dependencies, slugs: slugConfigurations({ client, tables }) };
}
