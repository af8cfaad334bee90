import { setTimeout as sleep } from 'node:timers/promises';
import type { Surface } from '../../lambdas/model/limits.ts';
import { minuteOf } from '../../lambdas/model/time-buckets.ts';
import { CannotBeTried } from '../checks/expectations.ts';
import { type HttpResponse, until } from './http.ts';
import type { Sender, Submit } from './submission.ts';
import type { Rejections, SharedWorkspace, ThrowAwayWorkspace } from './throw-away.ts';

/** The result of using up the limit of each surface of one workspace, within one minute of the service's clock. */
export interface Burst {
  /** The responses to those of the first 1,000 that were not accepted. */
  readonly refused: Readonly<Record<Surface, readonly HttpResponse[]>>;
  /** The responses to what came after the 1,000. */
  readonly beyond: Readonly<Record<Surface, readonly HttpResponse[]>>;
  /** After 1,000 on 1a: 1a with an unused token, 1b, and 1a of another workspace. */
  readonly freshToken: HttpResponse;
  readonly otherSurface: HttpResponse;
  readonly otherWorkspace: HttpResponse;
  /** What the workspace's owner reads afterwards. */
  readonly rejections: Rejections;
}

interface Options {
  readonly submit: Submit;
  /** The service's clock. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** With few requests at a time, 1,000 may not fit into a minute. */
  readonly gentle: boolean;
  readonly limited: ThrowAwayWorkspace;
  readonly other: SharedWorkspace;
}

/** From the specification: the constant of the service could be wrong. */
const LIMIT = 1_000;
const MINUTE_MS = 60_000;
/** The burst starts only with this much of the minute left, and not in its first moment. */
const ENOUGH_MS = 25_000;
/** Nearly the whole minute, because requests wait for each other. */
const ENOUGH_GENTLY_MS = 58_000;
const SETTLED_MS = 1_000;
const TRIES = 2;
const CONCURRENCY = 24;
const BEYOND = 8;
const COUNTED_WITHIN_SECONDS = 30;
/** Not clean, so that nothing is enriched. */
const BODY = '{"note":"conformance"}';

export async function runBurst(options: Options): Promise<Burst> {
  const { limited, other, submit } = options;
  const [one, two, fresh] = (await Promise.all([1, 2, 3].map(() => limited.newSender()))) as [
    Sender,
    Sender,
    Sender,
  ];
  // Another reason for Diagnostics to separate from the limit.
  await submit('1a', one, { body: '[]' });
  const senders = [one, two];
  const first = await fillMinute(options, '1a', senders, async () => ({
    freshToken: await submit('1a', fresh, { body: BODY }),
    otherSurface: await submit('1b', one, { body: BODY }),
    otherWorkspace: await submit('1a', other.sender, { body: BODY }),
    minute: minuteOf(options.now()),
  }));
  const { minute, ...meanwhile } = first.meanwhile;
  const begun = { minute, tookMilliseconds: first.tookMilliseconds };
  const second = await fillMinute(options, '1b', senders, async () => ({}), begun);
  return {
    ...meanwhile,
    refused: { '1a': first.refused, '1b': second.refused },
    beyond: { '1a': first.beyond, '1b': second.beyond },
    rejections: await countedRejections(options),
  };
}

/** Waits for the counts, which follow from a stream. */
async function countedRejections({ limited, signal }: Options): Promise<Rejections> {
  const look = async () => {
    const rejections = await limited.owner.rejections();
    const surfaces = new Set(rejections.rateLimited.counts.map(({ surface }) => surface));
    return surfaces.size === 2 && rejections.rejected.counts.length > 0 ? rejections : undefined;
  };
  return (await until(look, { seconds: COUNTED_WITHIN_SECONDS, signal })) ?? limited.owner.rejections();
}

/** Known from the first surface. */
interface Begun {
  /** The minute in which one submission was already sent on this surface. */
  readonly minute: string;
  readonly tookMilliseconds: number;
}

interface FilledMinute<Meanwhile> {
  readonly tookMilliseconds: number;
  readonly refused: readonly HttpResponse[];
  readonly beyond: readonly HttpResponse[];
  readonly meanwhile: Meanwhile;
}

/**
 * Sends 1,000 and then some more. If that takes longer than the minute, or if one of the 1,000 is rejected, as a busy
 * machine may do, it tries again in the next minute. The last attempt counts.
 */
async function fillMinute<Meanwhile>(
  { submit, now, signal, gentle }: Options,
  surface: Surface,
  senders: readonly Sender[],
  look: () => Promise<Meanwhile>,
  begun?: Begun,
): Promise<FilledMinute<Meanwhile>> {
  for (let attempt = 1; ; attempt += 1) {
    const most = gentle ? ENOUGH_GENTLY_MS : ENOUGH_MS;
    const enough = begun ? Math.min(most, 2 * begun.tookMilliseconds) : most;
    await sleep(untilWindow(now(), attempt > 1 ? MINUTE_MS : enough), undefined, { signal });
    const beganAt = now();
    const minute = minuteOf(beganAt);
    const send = (index: number) =>
      submit(surface, senders[index % senders.length] as Sender, { body: BODY });
    const room = LIMIT - (minute === begun?.minute ? 1 : 0);
    const responses = await sendAll(room, CONCURRENCY, send, signal);
    const meanwhile = await look();
    const beyond = await sendAll(BEYOND, 1, send, signal);
    const tookMilliseconds = now() - beganAt;
    const refused = responses.filter(({ status }) => status !== 202);
    // The date of the response is the service's time.
    const within = minuteOf(Date.parse(beyond.at(-1)?.headers.date ?? '')) === minute;
    if (within && (refused.length === 0 || attempt === TRIES))
      return { refused, beyond, meanwhile, tookMilliseconds };
    if (attempt === TRIES) throw tooSlow(gentle);
  }
}

function tooSlow(gentle: boolean): Error {
  const message = '1,000 submissions took longer than a minute';
  return gentle ? new CannotBeTried(`${message} with --gentle`) : new Error(message);
}

async function sendAll(
  count: number,
  atOnce: number,
  send: (index: number) => Promise<HttpResponse>,
  signal: AbortSignal,
): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  let next = 0;
  const sendOn = async () => {
    while (next < count) {
      signal.throwIfAborted();
      next += 1;
      responses.push(await send(next));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendOn));
  return responses;
}

/** How long to wait until enough of a minute is left. */
function untilWindow(now: number, enoughMilliseconds: number): number {
  const into = now % MINUTE_MS;
  if (into + enoughMilliseconds > MINUTE_MS) return MINUTE_MS - into + SETTLED_MS;
  return Math.max(0, SETTLED_MS - into);
}
