import { Failure } from '../../bin/leadctl/failure.ts';
import type { OpenStack } from '../../bin/leadctl/open-stack.ts';
import { makeRejectionSource, type RejectionSource } from '../../bin/leadctl/rejection-source.ts';
import { placeOf } from '../../bin/leadctl/stack-outputs.ts';
import { makeDiagnosticsReader } from '../../lambdas/rejections/diagnostics-store.ts';
import { SURFACES } from '../../lambdas/submission/limits.ts';
import { type Burst, runBurst } from './burst.ts';
import type { Send } from './http.ts';
import { type IngestLog, makeIngestLog } from './ingest-log.ts';
import type { Owner } from './owner.ts';
import { requestFor, type Sender, type Submit } from './submission.ts';
import type { SharedWorkspace, ThrowAways, ThrowAwayWorkspace } from './throw-away.ts';
import type { InTurn } from './turns.ts';

/** Everything that rows are tried with. */
export interface World {
  readonly stack: OpenStack;
  readonly log: IngestLog;
  readonly submit: Submit;
  readonly send: Send;
  /** The service's clock, in milliseconds. */
  readonly now: () => number;
  /** How far the service's clock may be from ours at most, in seconds, and nobody could tell. */
  readonly clockDoubtSeconds: number;
  /** Where most rows send. Its configuration does not change once submissions are sent. */
  readonly main: SharedWorkspace;
  /** Another one: what is in main is no business of its owner. */
  readonly other: SharedWorkspace;
  /** Where rows change the configuration while they run. */
  readonly changing: ThrowAwayWorkspace;
  readonly suspended: ThrowAwayWorkspace;
  readonly ownerOf: (sender: Sender) => Owner;
  /** What the operator sees of submissions that belong to no workspace. */
  readonly unattributed: RejectionSource;
  /** Forms that have seen nothing but rejections. */
  readonly rejectedOnly: Set<Sender>;
  /** Uses up the minute limit of both surfaces, in a workspace of its own, once for all rows that ask. */
  readonly burst: () => Promise<Burst>;
  readonly signal: AbortSignal;
}

/** More than that is no matter of rounding: the answer's date has whole seconds. */
const CLOCKS_AGREE_MS = 2_000;
const WARM_UP_ROUNDS = 5;

/** How requests are sent. */
export interface Way {
  readonly send: Send;
  readonly inTurn: InTurn;
  readonly gentle: boolean;
  readonly signal: AbortSignal;
}

export async function furnishWorld(
  stack: OpenStack,
  throwAways: ThrowAways,
  { send: sendAtOnce, inTurn, gentle, signal }: Way,
): Promise<World> {
  const log = makeIngestLog(sendAtOnce);
  const send: Send = (request) => inTurn(() => log.send(request));
  const ahead = await clockAhead(stack, send);
  const now = () => Date.now() + ahead;
  const shared = async (purpose: string): Promise<SharedWorkspace> => {
    const workspace = await throwAways.newWorkspace(purpose);
    return { ...workspace, sender: await workspace.newSender() };
  };
  // All are awaited, also where one fails: what is under way could not be removed.
  const made = await Promise.allSettled([
    shared('rules'),
    shared('somebody else'),
    throwAways.newWorkspace('changes'),
    throwAways.newWorkspace('suspended'),
    throwAways.newWorkspace('minute limit'),
  ]);
  for (const each of made) if (each.status === 'rejected') throw each.reason;
  const [main, other, changing, suspended, limited] = made.map(
    (each) => (each as PromiseFulfilledResult<ThrowAwayWorkspace>).value,
  ) as [SharedWorkspace, SharedWorkspace, ThrowAwayWorkspace, ThrowAwayWorkspace, ThrowAwayWorkspace];
  await stack.administration.suspendWorkspace(suspended.workspaceId);

  const submit: World['submit'] = (surface, sender, submission = {}) =>
    // Made when it is its turn: a timestamp must not grow old in the queue.
    inTurn(() => log.send(requestFor(surface, sender, submission, now)));
  const owners = new Map(
    [main, other, changing, suspended, limited].map(({ workspaceId, owner }) => [workspaceId, owner]),
  );
  await warmUp(submit, main.sender);
  let burst: Promise<Burst> | undefined;
  return {
    ...{ stack, log, submit, send, now, main, other, changing, suspended, signal },
    clockDoubtSeconds: stack.outputs.localDynamoDbEndpoint === undefined ? 2 : 0,
    ownerOf: ({ workspaceId }) => owners.get(workspaceId) as Owner,
    unattributed: makeRejectionSource(makeDiagnosticsReader({ ...stack, now: Date.now }), undefined),
    rejectedOnly: new Set(),
    burst() {
      burst ??= runBurst({ submit, now, limited, other, gentle, signal });
      return burst;
    },
  };
}

/**
 * The first requests start the functions, and on a busy machine that may take longer than a submission is given. Where
 * nothing is ever accepted, the rows will say so.
 */
async function warmUp(submit: World['submit'], sender: Sender): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    const answers = await Promise.all(
      [...SURFACES, ...SURFACES, ...SURFACES].map((surface) => submit(surface, sender)),
    );
    if (answers.every(({ status }) => status === 202)) return;
  }
}

/** The first request, also to find out whether anybody is there, and how far the service's clock is from ours. */
async function clockAhead({ outputs }: OpenStack, send: Send): Promise<number> {
  const { headers } = await send({ method: 'GET', path: '/api/ingest/conformance' }).catch((error: Error) => {
    throw new Failure('unreachable', `Nothing answers at ${outputs.ingestUrl} (${error.message}).`);
  });
  const date = Date.parse(headers.date ?? '');
  if (Number.isNaN(date)) {
    throw new Failure('wrong_stack', `What answers for ${placeOf(outputs)} does not tell the time.`);
  }
  const ahead = date - Date.now();
  return Math.abs(ahead) > CLOCKS_AGREE_MS ? ahead : 0;
}
