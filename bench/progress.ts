/** Says on which part a run works, and how long it will still take. The same lines on a terminal and in a log. */
export interface Progress {
  begin(name: string): void;
  /** Returns the seconds that the part took. */
  end(): number;
  finish(): void;
}

const EVERY_MILLISECONDS = 10_000;

export interface ProgressSettings {
  readonly names: readonly string[];
  /** Seconds that a part took in its last run. */
  readonly lastSeconds: (name: string) => number | undefined;
  readonly print?: (line: string) => void;
  readonly now?: () => number;
}

export function startProgress({
  names,
  lastSeconds,
  print = (line) => console.error(line),
  now = () => performance.now(),
}: ProgressSettings): Progress {
  const startedAt = now();
  const done = { expected: 0, actual: 0 };
  let [position, current, beganAt] = [0, '', startedAt];
  let timer: NodeJS.Timeout | undefined;

  /** Compared with the last run: machines differ, and so does what else they do. */
  const slowness = () => (done.expected > 0 ? done.actual / done.expected : 1);

  function left(): string {
    const known = names.slice(position - 1).map(lastSeconds);
    if (known.includes(undefined)) return 'time left unknown';
    const [running = 0, ...others] = known.map((seconds = 0) => seconds * slowness());
    const rest = Math.max(0, running - (now() - beganAt) / 1_000);
    return `about ${duration(others.reduce((sum, seconds) => sum + seconds, rest))} left`;
  }

  const say = (what: string) =>
    print(
      `${position} of ${names.length}, ${current}: ${what}, ${duration((now() - startedAt) / 1_000)} so far, ${left()}`,
    );

  return {
    begin(name) {
      [position, current, beganAt] = [position + 1, name, now()];
      say('begins');
      timer = setInterval(() => say(`${duration((now() - beganAt) / 1_000)}`), EVERY_MILLISECONDS);
      timer.unref();
    },
    end() {
      clearInterval(timer);
      const seconds = (now() - beganAt) / 1_000;
      const expected = lastSeconds(current);
      if (expected !== undefined) {
        done.expected += expected;
        done.actual += seconds;
      }
      return seconds;
    },
    finish: () => print(`${names.length} parts measured in ${duration((now() - startedAt) / 1_000)}`),
  };
}

/** `45 s`, `3 min 5 s` */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
