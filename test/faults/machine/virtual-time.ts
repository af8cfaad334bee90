import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

const realSetImmediate = globalThis.setImmediate;

/** Resolves when everything waits for time or for the response of a call. */
export function settled(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve));
}

/** A clock that only advances on request, and its timers. */
export class VirtualTime {
  #now = 0;
  #timers: Timer[] = [];

  readonly now = (): number => this.#now;

  restart(at: number): void {
    this.#now = at;
    this.#timers = [];
  }

  after(milliseconds: number, fire: () => void): Timer {
    const timer = { due: this.#now + Math.max(0, Math.ceil(milliseconds)), fire };
    const at = this.#timers.findLastIndex(({ due }) => due <= timer.due);
    this.#timers.splice(at + 1, 0, timer);
    return timer;
  }

  cancel(timer: Timer): void {
    const at = this.#timers.indexOf(timer);
    if (at >= 0) this.#timers.splice(at, 1);
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** Advances time. Each timer fires at its due time, and its effects run before the next one fires. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    for (let next = this.#timers[0]; next && next.due <= until; next = this.#timers[0])
      await this.#fire(next);
    this.#now = until;
  }

  /** Advances to the next timer; false if there is none. */
  async skipToNextTimer(): Promise<boolean> {
    const [next] = this.#timers;
    if (next) await this.#fire(next);
    return next !== undefined;
  }

  async #fire(timer: Timer): Promise<void> {
    this.#timers.shift();
    this.#now = Math.max(this.#now, timer.due);
    timer.fire();
    await settled();
  }
}

/**
 * Replaces every clock that the code under test and the SDK use: `Date.now`, `setTimeout`, that of
 * `node:timers/promises`, and `AbortSignal.timeout`. Only for a separate thread: nothing in it can wait for real time.
 */
export function replaceTime(time: VirtualTime): void {
  Date.now = time.now;
  globalThis.setTimeout = ((fire: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) =>
    time.after(milliseconds, () => fire(...args))) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((timer?: Timer) =>
    timer && time.cancel(timer)) as unknown as typeof clearTimeout;
  globalThis.setInterval = (() => {
    throw new Error('setInterval is not supported in virtual time');
  }) as unknown as typeof setInterval;

  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    time.after(milliseconds, () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
    );
    return controller.signal;
  };

  timersPromises.setTimeout = ((
    milliseconds = 0,
    value?: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        time.cancel(timer);
        reject(new DOMException('The operation was aborted', { name: 'AbortError', cause: signal?.reason }));
      };
      const timer = time.after(milliseconds, () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      });
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    })) as unknown as typeof timersPromises.setTimeout;
  // Without this, `import { setTimeout }` would still return the real one.
  syncBuiltinESMExports();
}
