import { makeProgressBar, type Output } from '../bin/operator/terminal.ts';

export interface Progress {
  /** @param total left out if the step has no known length. */
  readonly show: (step: string, done?: number, total?: number) => void;
  readonly end: () => void;
}

/** In a log, one line at this interval is enough to see that the run has not stopped. */
const LOG_EVERY_MS = 20_000;

/** On a terminal a bar; in a log, such as that of CI, whole lines: one for each step, and then one every 20 seconds. */
export function makeProgress(
  output: Pick<Output, 'isTTY' | 'write'>,
  now: () => number = Date.now,
): Progress {
  const bar = makeProgressBar(output);
  const startedAt = now();
  let current = { step: '', done: 0, total: 0 };
  const isTTY = output.isTTY === true;

  function draw(): void {
    const { step, done, total } = current;
    const seconds = Math.round((now() - startedAt) / 1000);
    const count = total > 0 ? `: ${done} of ${total}` : '';
    if (isTTY) bar.show(done, total || undefined, `${step}, ${seconds} s`);
    else output.write(`conformance: ${step}${count}, after ${seconds} s\n`);
  }

  // Also if nothing is done for a while. On a terminal, the seconds then still count.
  const timer = setInterval(draw, isTTY ? 1_000 : LOG_EVERY_MS).unref();
  return {
    show(step, done = 0, total = 0) {
      const isNew = step !== current.step;
      current = { step, done, total };
      if (isTTY || isNew) draw();
    },
    end() {
      clearInterval(timer);
      bar.clear();
    },
  };
}
