type Close = () => void | Promise<void>;

/** What has been started and must be ended, last started first: also when the start itself fails half-way. */
export interface Closers {
  /** Remembers how to end something. If everything is ending already, it is ended at once. */
  defer(close: Close): void;
  close(): Promise<void>;
}

export function makeClosers(): Closers {
  const stack: Close[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
      // One failure must not leave the rest running.
      await Promise.resolve()
        .then(close)
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be ended');
  }

  return {
    defer(close) {
      stack.push(close);
      if (closing !== undefined) closing = closing.then(closeAll);
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Something that the person at the keyboard can mend. Shown as its one line, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
