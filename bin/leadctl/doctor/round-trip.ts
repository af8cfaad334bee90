import { randomBytes } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { makeIngestToken } from '#model/ingest-token.ts';
import { makeOffboarding, REMOVED_KINDS, type Removed } from '#operator/offboarding-store.ts';
import type { OpenStack } from '../../operator/open-stack.ts';
import { serverUrl } from '../../operator/stack-outputs.ts';
import type { PrintedCommand } from '../../operator/terminal.ts';
import { type Sent, sendAll } from '../send-submissions.ts';
import { type Finding, fail, ok } from './check.ts';

export interface RoundTripStack extends OpenStack {
  readonly command: PrintedCommand;
}

/** Not clean, so it is not enriched. */
const BODY = Buffer.from('{"note":"leadctl doctor"}');
/** The first request may be a cold start. */
const TRIES = 3;
/** Streams may write after the first removal. */
const REMOVALS = 3;

/** Sends a lead to a temporary workspace, reads it back, and always removes everything. */
export async function roundTrip(stack: RoundTripStack, signal: AbortSignal): Promise<Finding> {
  const { administration } = stack;
  const { workspaceId } = await administration.createWorkspace({ name: 'leadctl doctor' });
  let finding: Finding;
  try {
    finding = await sendAndRead(stack, workspaceId, signal);
  } catch (error) {
    await remove(stack, workspaceId).catch(() => undefined);
    throw error;
  }
  const removed = await remove(stack, workspaceId).catch(() => false);
  signal.throwIfAborted();
  if (removed || finding.status === 'fail') return finding;
  return fail(
    `${finding.found}; but the temporary workspace could not be deleted`,
    `Delete it: ${stack.command`workspace offboard ${workspaceId}`}`,
  );
}

async function sendAndRead(
  stack: RoundTripStack,
  workspaceId: string,
  signal: AbortSignal,
): Promise<Finding> {
  const { administration, client, outputs, tables, command } = stack;
  const { formId } = await administration.createForm({ workspaceId, name: 'leadctl doctor' });
  const { token } = await administration.createToken({ formId });
  const sent = await send(serverUrl(outputs), token, 'accepted', signal);
  if (sent.outcome !== 'accepted') {
    return fail(
      sent.outcome === 'rejected'
        ? 'a valid lead was rejected'
        : `${outputs.ingestUrl} did not accept a valid lead (${sent.problem})`,
      sent.outcome === 'rejected'
        ? `Look for request ${sent.requestId} in ${command`diagnostics --unattributed`}, and check the Throttles metric of the functions.`
        : 'Check the DNS records of the name, and docs/runbook.md, IngestInternalErrors.',
    );
  }
  const Key = { leadId: sent.submissionId, part: 'lead' };
  const { Item } = await client.send(new GetCommand({ TableName: tables.leads, Key, ConsistentRead: true }));
  if (Item?.formId !== formId) {
    return fail(
      'a lead was accepted but is not in the leads table',
      'The URL and the tables belong to different stacks. Use the outputs file of the last deployment.',
    );
  }
  const tokenOfNobody = makeIngestToken('server', randomBytes(32));
  const unknown = await send(serverUrl(outputs), tokenOfNobody, 'rejected', signal);
  if (unknown.outcome !== 'rejected') {
    return fail(
      `an unknown token got ${unknown.outcome === 'accepted' ? '202' : unknown.problem} instead of 200`,
      'Senders must not learn why they are rejected. Check the specification with `npm run conformance`.',
    );
  }
  return ok(`accepted and stored in ${Math.round(sent.milliseconds)} ms; an unknown token is rejected`);
}

async function send(
  url: string,
  credential: string,
  expected: Sent['outcome'],
  signal: AbortSignal,
): Promise<Sent> {
  for (let attempt = 1; ; attempt += 1) {
    const plan = { count: 1, concurrency: 1, key: () => undefined };
    const target = { url, surface: '1a' as const, credential, body: () => BODY };
    const [sent] = await sendAll(target, plan, () => undefined, signal);
    signal.throwIfAborted();
    if (sent && (sent.outcome === expected || attempt === TRIES)) return sent;
  }
}

/** Like `leadctl workspace offboard`. Cannot be interrupted, because it cleans up. */
async function remove({ client, tables }: RoundTripStack, workspaceId: string): Promise<boolean> {
  const offboarding = makeOffboarding({
    client,
    tables,
    now: Date.now,
    owners: undefined,
    // Nobody else knows its token.
    forgottenAfterMilliseconds: 0,
    scansLeads: false,
  });
  const removed = Object.fromEntries(REMOVED_KINDS.map((kind) => [kind, 0])) as Removed;
  const never = new AbortController().signal;
  for (let attempt = 0; attempt < REMOVALS; attempt += 1) {
    const outcome = await offboarding.run(workspaceId, { removed, onStep: () => undefined }, never);
    if (outcome === 'gone' || outcome === 'unknown') return true;
  }
  return false;
}
