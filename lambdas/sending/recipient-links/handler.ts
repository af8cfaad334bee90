import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { makeQueueClient } from '../../aws/queues.ts';
import { describeError, toStdout, type WriteLine } from '../../aws/telemetry.ts';
import { QUEUE_VARIABLES, requireVariable, tablesFromEnvironment } from '../../contract.ts';
import { failurePage, type Page } from '../../recipients/pages.ts';
import { makeRecipientLinks } from '../../recipients/recipients-store.ts';
import { makeActiveWorkspaces } from '../../stats/active-workspaces-store.ts';
import { makeRecipientState } from '../recipient-state-store.ts';
import { makeSendQueue } from '../send-queue-store.ts';
import { type FeedbackDependencies, type FeedbackEvent, recordFeedback } from './record-feedback.ts';
import { type LinkDependencies, respondToLink } from './respond-to-link.ts';

export interface RecipientLinksDependencies extends LinkDependencies, FeedbackDependencies {
  readonly links: LinkDependencies['links'];
  readonly state: LinkDependencies['state'];
  readonly write: WriteLine;
}

/** Below the function's timeout. */
const DEADLINE_MS = 8_000;

/** The links in mails, which anybody can open, and what SES reports about mails. */
export function makeRecipientLinksFunction(dependencies: RecipientLinksDependencies) {
  const { write } = dependencies;

  async function response(event: APIGatewayProxyEventV2): Promise<Page> {
    const { method } = event.requestContext.http;
    try {
      const token = event.pathParameters?.token ?? '';
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const { page, code, ...about } = await respondToLink(method, token, dependencies, signal);
      write(JSON.stringify({ level: 'INFO', code: `recipient.${code}`, method, ...about }));
      return page;
    } catch (error) {
      write(JSON.stringify({ level: 'ERROR', code: 'recipient.defect', ...describeError(error) }));
      return failurePage();
    }
  }

  async function takeFeedback(event: FeedbackEvent): Promise<void> {
    const outcome = await recordFeedback(event, dependencies, AbortSignal.timeout(DEADLINE_MS));
    write(JSON.stringify({ level: 'INFO', code: 'recipient.feedback', ...outcome }));
  }

  return async function handleRecipients(
    event: APIGatewayProxyEventV2 | FeedbackEvent,
  ): Promise<APIGatewayProxyStructuredResultV2 | undefined> {
    if ('requestContext' in event) return { ...(await response(event)) };
    await takeFeedback(event);
    return undefined;
  };
}

const TABLES = ['recipients', 'destinations', 'stats'] as const;

export function recipientLinksDependencies(env: NodeJS.ProcessEnv): RecipientLinksDependencies {
  const context = { client: makeDocumentClient(), tables: tablesFromEnvironment(env, TABLES) };
  const active = makeActiveWorkspaces(context);
  return {
    links: makeRecipientLinks(context),
    state: makeRecipientState(context),
    queue: makeSendQueue(makeQueueClient(), { sending: requireVariable(env, QUEUE_VARIABLES.sending) }),
    watchWorkspace: (workspaceId, signal) => active.mark([workspaceId], Date.now(), signal),
    now: Date.now,
    write: toStdout,
  };
}
