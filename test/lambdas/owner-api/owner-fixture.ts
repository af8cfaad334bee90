import { randomBytes, randomUUID } from 'node:crypto';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { makeApiKeys } from '#access/api-keys-store.ts';
import { makeMembers } from '#access/members/handler.ts';
import { makeTeam } from '#access/team-store.ts';
import { makeUsers } from '#access/users-store.ts';
import { makeAlertReader } from '#alerts/alert-reader-store.ts';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { OUTPUTS } from '#contract';
import { makeLeadExport } from '#leads/export/lead-export-store.ts';
import { makeListExport } from '#leads/export/list-export-store.ts';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import type { IndexBacklog } from '#leads/people/index-backlog-store.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import { makeLeadSearcher } from '#leads/search/lead-search-store.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import type { LearnMessage } from '#model/lead-events.ts';
import { makeActivityLog, makeActivityReader } from '#owner-api/activity-store.ts';
import { makeOwnerTelemetry } from '#owner-api/owner-request.ts';
import { memberIdOf } from '#owner-api/principal.ts';
import { makeDiagnosticsRead } from '#rejections/diagnostics/handler.ts';
import { makeDiagnosticsReader } from '#rejections/diagnostics-store.ts';
import type { SendTask } from '#sending/message.ts';
import { makeSettings } from '#settings/handler.ts';
import {
  destinationDependencies,
  learningDependencies,
  personDependencies,
  reviewDependencies,
} from '#settings/settings-dependencies.ts';
import { makeStatsReader } from '#stats/stats-store.ts';
import { makeOwnerAdministration } from '#workspaces/administration.ts';
import {
  makeLastUses,
  makeProviderUses,
  makeSecretDates,
  makeWorkspaceUsage,
} from '#workspaces/usage-store.ts';
import type { WebhookReply, WebhookSender } from '#workspaces/webhook-sender.ts';
import { unfollowedStack } from '../../local-stack.ts';
import { resolve } from '../sending/resolve-name.ts';
import { openSubmissionFixture, type Sender } from '../submission/submission-fixture.ts';
import { findOperation } from './api-document.ts';
import { type Call, eventOf } from './owner-event.ts';

export { type Call, eventOf } from './owner-event.ts';

export const INGEST_URL = 'https://ingest.example/prod';
export const SOURCES_URL = 'https://sources.example/prod';

export interface Responded {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** What the body says; text for exports. */
  // biome-ignore lint/suspicious/noExplicitAny: each response has been checked against the document's schema.
  readonly body: any;
  readonly text: string;
}

interface Options {
  readonly allowLoopback: boolean;
  readonly canSendEmail: boolean;
}

/**
 * Both functions of the settings area over DynamoDB Local, beside the ingest functions. Every request and every response
 * is checked against the OpenAPI document, and a secret that was shown once must not appear again in a response or log.
 */
export function openOwnerFixture(
  startAt?: number,
  options: Options = { allowLoopback: false, canSendEmail: true },
  runningStack = unfollowedStack(),
) {
  const fixture = openSubmissionFixture(startAt, runningStack);
  const now = () => fixture.clock.now;
  // Not the client of the ingest functions: faults and call counts concern one side only.
  const rawClient = fixture.stack.newClient();
  const calls = recordCalls(rawClient);
  const context = { client: toDocumentClient(rawClient), tables: fixture.stack.tables, now, randomBytes };
  const logLines: string[] = [];
  const write = (line: string) => void logLines.push(line);
  const shared = { now, deadlineMilliseconds: 60_000 };

  const exercised = new Set<string>();
  const shown = new Set<string>();
  const ingest = fixture.newEnvironment();
  /** Replaces the network: webhooks reach their function, unless a test sets the reply. */
  const network: { reply?: (() => WebhookReply | undefined) | undefined } = {};
  const post: WebhookSender['post'] = async ({ url, headers, body }) => {
    shown.add(headers['X-SVC-Signature'] as string);
    if (network.reply) return network.reply();
    const slug = url.slice(`${INGEST_URL}/api/v1/ingest/`.length);
    const response = await ingest.webhook({ slug, secret: '' } as Sender, { body, headers: { ...headers } });
    return { status: response.statusCode, requestId: randomUUID(), text: response.body };
  };

  const queued: SendTask[] = [];
  const askedToLearn: LearnMessage[] = [];
  /** Replaces the queues of the index, which other tests keep busy. */
  const backlog: { waiting?: Awaited<ReturnType<IndexBacklog['before']>> } = {};

  const settings = makeSettings({
    ...shared,
    administrationOf: makeOwnerAdministration(context),
    ...destinationDependencies(context, {
      queue: { add: async (tasks) => void queued.push(...tasks.map(({ task }) => task)) },
      resolve,
      ...options,
    }),
    usage: makeWorkspaceUsage(context),
    secretDates: makeSecretDates(context),
    lastUses: makeLastUses(context),
    providerUses: makeProviderUses(context),
    leads: makeLeadPages(context),
    leadExport: makeLeadExport(context),
    leadSearch: makeLeadSearcher(context),
    listExport: makeListExport(context),
    ...personDependencies(context),
    leadIndex: makeLeadIndex(context),
    indexBacklog: { before: async () => backlog.waiting },
    ...reviewDependencies(context),
    ...learningDependencies(context, {
      send: async (messages) => {
        askedToLearn.push(...messages);
        return new Set();
      },
    }),
    stats: makeStatsReader(context),
    alerts: makeAlertReader(context),
    apiKeysOf: makeApiKeys(context),
    activityReader: makeActivityReader(context),
    activity: makeActivityLog(context),
    webhooks: { post },
    ingestUrl: INGEST_URL,
    sourcesUrl: SOURCES_URL,
    telemetry: makeOwnerTelemetry('settings', now, write),
  });
  const diagnostics = makeDiagnosticsRead({
    ...shared,
    reader: makeDiagnosticsReader(context),
    telemetry: makeOwnerTelemetry('diagnostics', now, write),
  });

  const cognito = new CognitoIdentityProviderClient({
    endpoint: fixture.stack.output(OUTPUTS.localCognitoEndpoint),
    region: fixture.stack.output(OUTPUTS.region),
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const users = makeUsers(cognito, fixture.stack.output(OUTPUTS.userPoolId));
  const pauses: number[] = [];
  const members = makeMembers({
    ...shared,
    team: makeTeam(context),
    apiKeysOf: makeApiKeys(context),
    activity: makeActivityLog(context),
    users,
    newId: randomUUID,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    telemetry: makeOwnerTelemetry('members', now, write),
  });
  const handlers = { Diagnostics: diagnostics, Members: members } as Readonly<
    Record<string, typeof settings | undefined>
  >;

  let before = 0;

  /** A short text occurs in responses by chance. */
  function noteSecret(secret: string): void {
    if (secret.length < 16) throw new Error('too short for a secret');
    shown.add(secret);
  }

  function requireNothingShownAgain(text: string): void {
    const lines = logLines.slice(before);
    before = logLines.length;
    for (const secret of shown) {
      if ([text, ...lines].some((each) => each.includes(secret))) throw new Error('a secret was shown again');
    }
  }

  async function send(workspaceId: string, method: string, path: string, call: Call): Promise<Responded> {
    const operation = findOperation(method, path);
    if (!operation) throw new Error(`${method} ${path} is not documented`);
    const handler = handlers[operation.tag] ?? settings;
    const response = await handler(eventOf(workspaceId, method, path, call), {} as Context);
    const text = response.isBase64Encoded
      ? Buffer.from(response.body ?? '', 'base64').toString('utf8')
      : (response.body ?? '');
    const headers = response.headers ?? {};
    const contentType = headers['content-type'] as string | undefined;
    const isJson = contentType?.includes('json') && !contentType.includes('ndjson');
    const body = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    const status = response.statusCode ?? 0;

    const faults = operation.responseFaults({
      statusCode: status,
      contentType,
      body: isJson ? body : response.body,
    });
    if (faults.length > 0) throw new Error(`${method} ${path} -> ${status} ${text}: ${faults.join('; ')}`);
    requireAgreement(operation.requestFaults({ query: call.query ?? {}, body: call.body }), status, call);
    requireNothingShownAgain(text);
    exercised.add(`${operation.operationId} ${status}`);
    const given = status < 300 && (call.body as { secret?: unknown } | undefined)?.secret;
    for (const once of [body?.secret, body?.token, body?.signingSecret, body?.apiKey, given]) {
      if (typeof once === 'string') noteSecret(once);
    }
    return { status, headers, body, text };
  }

  function ownerOf(workspaceId: string) {
    const call =
      (method: string) =>
      (path: string, options: Call = {}) =>
        send(workspaceId, method, `/settings${path}`, options);
    return {
      workspaceId,
      get: call('GET'),
      post: call('POST'),
      put: call('PUT'),
      patch: call('PATCH'),
      delete: call('DELETE'),
    };
  }

  /** The owner of a new workspace. */
  async function newOwner() {
    const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Analytical Engines' });
    return ownerOf(workspaceId);
  }

  /** Records a use as the ingest functions do. */
  async function noteUse(workspaceId: string, of: string, lastUsedAt: string): Promise<void> {
    const Item = { workspaceId, sk: `use#${of}`, lastUsedAt };
    await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.diagnostics, Item }));
  }

  /** Makes a user a member who has signed in. Returns the member's id. */
  async function join(workspaceId: string, userId: string, role: 'owner' | 'viewer'): Promise<string> {
    const at = new Date(now()).toISOString();
    const email = `${userId}@example.com`;
    const Item = { workspaceId, memberId: userId, role, email, invitedAt: at, joinedAt: at };
    await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.members, Item }));
    return memberIdOf(workspaceId, userId);
  }

  return {
    ...fixture,
    join,
    calls,
    settings,
    diagnostics,
    cognito,
    users,
    pauses,
    ownerOf,
    newOwner,
    noteUse,
    network,
    queued,
    askedToLearn,
    backlog,
    exercised,
    shown,
    logLines,
  };
}

export type OwnerFixture = ReturnType<typeof openOwnerFixture>;
export type Owner = ReturnType<OwnerFixture['ownerOf']>;

/** The document and the service must agree on what is a valid request. */
function requireAgreement(
  faults: readonly string[],
  status: number,
  { rawBody, beyondSchema, authorized }: Call,
) {
  if (rawBody !== undefined || authorized !== undefined) return;
  if (faults.length > 0 && status !== 400) {
    throw new Error(`the document refuses what was answered with ${status}: ${faults.join('; ')}`);
  }
  if (faults.length === 0 && status === 400 && !beyondSchema) {
    throw new Error('the service rejects what the document allows');
  }
}
