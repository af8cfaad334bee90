type Close = () => void | Promise<void>;

/** Closes what was started, last started first, also when the start fails half-way. */
export interface Closers {
  /** Registers a function that closes something. It runs at once if closing has already begun. */
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
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
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

/** A problem that the user can fix. Shown as one line, without a stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
