import { connect } from 'node:net';
import { makeAnswerReader, type WireAnswer } from './read-answers.ts';
import type { Reading } from './read-as-server.ts';

/** The bytes of one connection, and how they are sent. */
export interface Delivery {
  readonly bytes: Buffer;
  /** Where the bytes are cut into writes of their own. */
  readonly cuts?: readonly number[];
  /** The client is gone after so many bytes, and hears nothing. */
  readonly hangUpAfter?: number;
}

export interface Outcome {
  readonly answers: readonly WireAnswer[];
  /** The server closed the connection. */
  readonly closed: boolean;
  /** Nothing came in time. */
  readonly late: boolean;
  /** What came and is no answer. */
  readonly leftOver: string;
  /** From the last byte sent to the last answer. */
  readonly milliseconds: number;
}

/** A bound on hanging. Five seconds are promised; how long it took is printed, and depends on the machine. */
export const PATIENCE_MILLISECONDS = 30_000;

/** Sends what may be HTTP, and takes every answer that is due. */
export async function exchange(
  url: URL,
  delivery: Delivery,
  reading: Reading,
  patienceMilliseconds = PATIENCE_MILLISECONDS,
): Promise<Outcome> {
  const { requests, rest } = reading;
  const due = requests.length + (rest === 'not HTTP' ? 1 : 0);
  const reader = makeAnswerReader([...requests.map(({ method }) => method), reading.unfinishedMethod]);
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
  const over = Promise.withResolvers<{ closed: boolean; late: boolean }>();
  let sentAt = performance.now();
  let answeredAt = sentAt;
  let patience: NodeJS.Timeout | undefined;
  const waitOn = () => {
    clearTimeout(patience);
    patience = setTimeout(() => over.resolve({ closed: false, late: true }), patienceMilliseconds);
  };
  /** A connection that is due to be closed by the server is waited for; a healthy one is not. */
  const look = () => {
    if (reader.answers.length < due || rest === 'not HTTP') return;
    if (rest === 'unfinished') return void socket.end();
    over.resolve({ closed: false, late: false });
  };
  socket.on('data', (chunk) => {
    reader.push(chunk);
    answeredAt = performance.now();
    look();
  });
  // A server that hangs up while we still write shows as an error, and then as a close.
  socket.on('error', () => undefined);
  socket.on('close', () => over.resolve({ closed: true, late: false }));
  waitOn();
  await Promise.race([send(socket, delivery), over.promise]);
  sentAt = performance.now();
  waitOn();
  if (delivery.hangUpAfter === undefined) look();
  else over.resolve({ closed: false, late: false });
  const end = await over.promise;
  clearTimeout(patience);
  // Leaves no port behind that waits.
  socket.resetAndDestroy();
  return {
    ...end,
    answers: reader.answers,
    leftOver: reader.leftOver(),
    milliseconds: Math.max(0, answeredAt - sentAt),
  };
}

async function send(socket: ReturnType<typeof connect>, delivery: Delivery): Promise<void> {
  const { bytes, cuts = [], hangUpAfter = bytes.length } = delivery;
  const ends = [...cuts.filter((cut) => cut > 0 && cut < hangUpAfter), hangUpAfter].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    const part = bytes.subarray(from, end);
    from = end;
    // Its callback comes when the bytes are with the system, or when the connection is lost.
    await new Promise<void>((resolve) => socket.write(part, () => resolve()));
  }
}
