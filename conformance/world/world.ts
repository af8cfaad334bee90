import { Failure } from '../../bin/operator/failure.ts';
import type { OpenStack } from '../../bin/operator/open-stack.ts';
import { placeOf } from '../../bin/operator/stack-outputs.ts';
import { SURFACES } from '../../lambdas/model/limits.ts';
import { makeDiagnosticsReader } from '../../lambdas/rejections/diagnostics-store.ts';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-record.ts';
import { type Burst, runBurst } from './burst.ts';
import { type IngestLog, type InTurn, makeIngestLog, type Send, until } from './http.ts';
import { requestFor, type Sender, type Submit } from './submission.ts';
import type { Owner, OwnersLeads, SharedWorkspace, ThrowAways, ThrowAwayWorkspace } from './throw-away.ts';

/** The list comes from an index, which follows the table with a delay, and after a cold start on AWS. */
const INDEX_SECONDS = 30;

/** The leads of a form that is known to have at least this many. */
export async function listedLeads(world: World, sender: Sender, atLeast = 1): Promise<OwnersLeads> {
  const owner = world.ownerOf(sender);
  const listed = await until(
    async () => {
      const page = await owner.leads(sender.formId);
      return page.rows.length >= atLeast ? page : undefined;
    },
    { seconds: INDEX_SECONDS, signal: world.signal },
  );
  return listed ?? owner.leads(sender.formId);
}

/** What rows work with. */
export interface World {
  readonly stack: OpenStack;
  readonly log: IngestLog;
  readonly submit: Submit;
  readonly send: Send;
  /** For Surface 2: not counted among the responses about which the specification has rules. */
  readonly sendBeside: Send;
  /** To the address of Surface 1c. */
  readonly sendToSources: Send;
  /** The service's clock, in milliseconds. */
  readonly now: () => number;
  /** How far the service's clock may be from ours without being noticed, in seconds. */
  readonly clockDoubtSeconds: number;
  /** Where most rows send. Its configuration does not change once submissions are sent. */
  readonly main: SharedWorkspace;
  /** Its owner must see nothing of `main`. */
  readonly other: SharedWorkspace;
  /** Where rows change the configuration of their own forms while they run. */
  readonly changing: ThrowAwayWorkspace;
  readonly suspended: ThrowAwayWorkspace;
  /** One row suspends and resumes it. */
  readonly resumed: ThrowAwayWorkspace;
  readonly ownerOf: (sender: Sender) => Owner;
  /** The rejections with this request id that belong to no workspace, as the operator sees them. */
  readonly unattributed: (requestId: string) => Promise<readonly RejectionEvent[]>;
  /** Forms that must have no leads, because all their submissions were rejected. */
  readonly rejectedOnly: Set<Sender>;
  /** Uses up the per-minute limit of both surfaces in its own workspace, once for all rows that ask. */
  readonly burst: () => Promise<Burst>;
  readonly signal: AbortSignal;
}

/** More than rounding explains: the date of a response has whole seconds. */
const CLOCKS_AGREE_MS = 2_000;
const WARM_UP_ROUNDS = 5;

/** How requests are sent. */
export interface Way {
  readonly send: Send;
  readonly sendToSources: Send;
  readonly inTurn: InTurn;
  readonly gentle: boolean;
  readonly signal: AbortSignal;
}

export async function setUpWorld(
  stack: OpenStack,
  throwAways: ThrowAways,
  { send: sendAtOnce, sendToSources, inTurn, gentle, signal }: Way,
): Promise<World> {
  const log = makeIngestLog(sendAtOnce);
  const send: Send = (request) => inTurn(() => log.send(request));
  const sendBeside: Send = (request) => inTurn(() => sendAtOnce(request));
  const ahead = await clockAhead(stack, send);
  const now = () => Date.now() + ahead;
  const shared = async (purpose: string): Promise<SharedWorkspace> => {
    const workspace = await throwAways.newWorkspace(purpose);
    return { ...workspace, sender: await workspace.newSender() };
  };
  // Wait for all, even if one fails: a workspace still being created could not be removed.
  const made = await Promise.allSettled([
    shared('rules'),
    shared('somebody else'),
    throwAways.newWorkspace('changes'),
    throwAways.newWorkspace('suspended'),
    throwAways.newWorkspace('suspended and resumed'),
    throwAways.newWorkspace('minute limit'),
  ]);
  for (const each of made) if (each.status === 'rejected') throw each.reason;
  const workspaces = made.map((each) => (each as PromiseFulfilledResult<ThrowAwayWorkspace>).value);
  const [main, other] = workspaces as [SharedWorkspace, SharedWorkspace];
  const [changing, suspended, resumed, limited] = workspaces.slice(2) as [
    ThrowAwayWorkspace,
    ThrowAwayWorkspace,
    ThrowAwayWorkspace,
    ThrowAwayWorkspace,
  ];
  await stack.administration.suspendWorkspace(suspended.workspaceId);

  const submit: World['submit'] = (surface, sender, submission = {}) =>
    // Built when its turn comes: a timestamp must not grow old in the queue.
    inTurn(() => log.send(requestFor(surface, sender, submission, now)));
  const owners = new Map(workspaces.map(({ workspaceId, owner }) => [workspaceId, owner]));
  const diagnostics = makeDiagnosticsReader({ ...stack, now: Date.now });
  await warmUp(submit, main.sender);
  let burst: Promise<Burst> | undefined;
  return {
    stack,
    log,
    submit,
    send,
    sendBeside,
    sendToSources: (request) => inTurn(() => sendToSources(request)),
    now,
    main,
    other,
    changing,
    suspended,
    resumed,
    signal,
    clockDoubtSeconds: stack.outputs.localDynamoDbEndpoint === undefined ? 2 : 0,
    ownerOf: ({ workspaceId }) => owners.get(workspaceId) as Owner,
    unattributed: (requestId) => diagnostics.lookUp(undefined, requestId, signal),
    rejectedOnly: new Set(),
    burst() {
      burst ??= runBurst({ submit, now, limited, other, gentle, signal });
      return burst;
    },
  };
}

/** The first requests start the functions, which may take longer on a busy machine than a submission is given. */
async function warmUp(submit: World['submit'], sender: Sender): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    const responses = await Promise.all(
      [...SURFACES, ...SURFACES, ...SURFACES].map((surface) => submit(surface, sender)),
    );
    if (responses.every(({ status }) => status === 202)) return;
  }
}

/** The first request shows whether the service responds, and how far its clock is from ours. */
async function clockAhead({ outputs }: OpenStack, send: Send): Promise<number> {
  const { headers } = await send({ method: 'GET', path: '/api/ingest/conformance' }).catch((error: Error) => {
    throw new Failure('unreachable', `No answer from ${outputs.ingestUrl} (${error.message}).`);
  });
  const date = Date.parse(headers.date ?? '');
  if (Number.isNaN(date)) {
    throw new Failure(
      'wrong_stack',
      `The answer for ${placeOf(outputs)} has no date, so this is not the service.`,
    );
  }
  const ahead = date - Date.now();
  return Math.abs(ahead) > CLOCKS_AGREE_MS ? ahead : 0;
}
