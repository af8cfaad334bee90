import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { tablesFromEnvironment } from '../../contract.ts';
import { isSlug, type Workspace } from '../../model/configuration.ts';
import { type Headers, singleHeader } from '../../model/headers.ts';
import { hashToken } from '../../model/ingest-token.ts';
import { Rejection } from '../../model/reasons.ts';
import { passGate, replayOriginal } from '../../submission/admit-submission.ts';
import {
  authenticate,
  type CredentialScheme,
  type IdempotencyKeyOf,
  makeAuthenticator,
} from '../../submission/authenticate.ts';
import {
  type ConfigurationSource,
  slugConfigurations,
  tokenConfigurations,
} from '../../submission/configuration-store.ts';
import { idempotencyKey } from '../../submission/idempotency-key.ts';
import { runtimeDependencies, WRITTEN_TABLES } from '../../submission/ingest-dependencies.ts';
import { refuseUnreadable } from '../../submission/parse-body.ts';
import {
  type IngestDependencies,
  ingestWith,
  reportedPipeline,
  type SubmissionHandler,
} from '../../submission/pipeline.ts';
import { hashBody, respondToRejections } from '../../submission/respond-and-report.ts';
import { bearerToken, judgeServerToken, type TokenConfiguration } from '../../submission/server-token.ts';
import type { SlugConfiguration } from '../../submission/signed-request.ts';
import { scoreSubmission, storeLead } from '../../submission/store-lead.ts';
import type { HttpResponse, ParsedSubmission, Submission } from '../../submission/submission.ts';
import { DELIVERY_ATTRIBUTES, deliveryKey, judgeDelivery, tokenRowKey } from '../judge-delivery.ts';
import { endRepetition, provenProvider, readSourceBody, takeDelivery } from '../source-steps.ts';

export interface SourceSubmissionDependencies extends IngestDependencies {
  readonly slugs: ConfigurationSource<SlugConfiguration>;
  readonly tokens: ConfigurationSource<TokenConfiguration>;
}

/** Surface 1c: providers who sign in their own way, and tools with a server token that look only at the status. */
export function makeSourceSubmission(dependencies: SourceSubmissionDependencies) {
  const fromProvider = sourcePipeline(
    {
      source: dependencies.slugs,
      emptyConfiguration: { forms: [], secrets: [] },
      keyOf: requireSlug,
      judge: (configuration, { headers, body, receivedAtMilliseconds }) =>
        judgeDelivery(configuration, {
          headers,
          body: body.bytes() ?? NO_BYTES,
          nowMilliseconds: receivedAtMilliseconds,
        }),
    },
    (submission) =>
      deliveryKey({
        formId: submission.credential.form.formId,
        provider: provenProvider(submission),
        deliveryId: submission.credential.deliveryId,
        parsed: submission.parsed,
        bodySha256: hashBody(submission),
      }),
    dependencies,
  );
  const withToken = sourcePipeline(
    {
      source: dependencies.tokens,
      emptyConfiguration: {},
      keyOf: ({ headers }) => hashToken(sentToken(headers)),
      judge: (configuration, { headers }) =>
        judgeServerToken(configuration, { token: sentToken(headers), surface: '1c' }),
    },
    ({ headers, credential }) => {
      const key = idempotencyKey(headers);
      return key === undefined ? undefined : tokenRowKey(credential.workspaceId, key);
    },
    dependencies,
  );

  return async function sourceSubmission(
    event: APIGatewayProxyEvent,
    context: Context,
  ): Promise<HttpResponse> {
    return event.pathParameters?.slug === undefined
      ? withToken(event, context)
      : fromProvider(event, context);
  };
}

/**
 * As on the other surfaces, except for the order: the body is read before the response to a repetition is looked up,
 * because the ID of a delivery is in the body, and only after its sender is known, because what is never acceptable
 * gets another response from a known sender.
 */
function sourcePipeline<Configuration extends { workspace?: Workspace | undefined }>(
  scheme: CredentialScheme<Configuration>,
  keyOf: IdempotencyKeyOf<ParsedSubmission>,
  dependencies: IngestDependencies,
) {
  const authenticator = makeAuthenticator(scheme, dependencies);
  const handle = reportedPipeline(dependencies)
    .use(endRepetition(dependencies))
    .use(respondToRejections(dependencies))
    .use(refuseUnreadable(scheme, { anySize: true }))
    .use(authenticate(authenticator))
    .use(readSourceBody())
    .use(replayOriginal({ ...dependencies, authenticator, keyOf }))
    .use(takeDelivery(dependencies))
    .use(passGate({ ...dependencies, authenticator }))
    .use(scoreSubmission(dependencies))
    .handler(storeLead(dependencies)) as SubmissionHandler;
  return ingestWith(handle, { surface: '1c', ...dependencies });
}

const NO_BYTES = Buffer.alloc(0);

/** An invalid slug needs no lookup, and may not even be a valid key. */
function requireSlug({ slug }: Submission): string {
  if (slug === undefined || !isSlug(slug)) throw new Rejection('form_not_found', { problem: 'not a slug' });
  return slug;
}

/** Tools that cannot set Authorization, or use it for themselves, have a field for an API key. */
function sentToken(headers: Headers): string {
  const apiKey = singleHeader(headers, 'x-api-key');
  if (apiKey === undefined) return bearerToken(headers);
  if (headers.has('authorization')) {
    throw new Rejection('token_invalid', { problem: 'both Authorization and X-API-Key sent' });
  }
  if (apiKey === 'repeated')
    throw new Rejection('token_invalid', { problem: 'X-API-Key sent more than once' });
  const token = apiKey.value.trim();
  if (token === '') throw new Rejection('token_missing');
  if (!TOKEN.test(token)) throw new Rejection('token_invalid', { problem: 'not a token' });
  return token;
}

const TOKEN = /^[\x21-\x7e]{1,512}$/;

const TABLES = ['workspaces', 'forms', 'formSecrets', 'tokens', ...WRITTEN_TABLES] as const;

export function sourceSubmissionDependencies(env: NodeJS.ProcessEnv): SourceSubmissionDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const { client, dependencies } = runtimeDependencies(tables);
  return {
    ...dependencies,
    slugs: slugConfigurations({ client, tables }, DELIVERY_ATTRIBUTES),
    tokens: tokenConfigurations({ client, tables }),
  };
}
