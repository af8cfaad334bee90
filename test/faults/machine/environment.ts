import type { Outcome } from './outcome.ts';

/** An injected fault, or a call that timed out before its turn. */
export interface Fault {
  readonly outcome: Outcome | 'gave up';
  readonly operation: string;
  readonly table: string;
}

/** One invocation of a function: its name in the timeline, and its faults. */
export interface Activity {
  readonly name: string;
  readonly faults: Fault[];
  died: boolean;
}

interface InFlight {
  abandon(): void;
}

/** Runs one invocation at a time, like Lambda. When it dies, its memory is lost. */
export class Environment {
  readonly name: string;
  activity: Activity | undefined;
  dead = false;
  readonly #inFlight = new Set<InFlight>();
  readonly #death = Promise.withResolvers<'died'>();

  constructor(name: string) {
    this.name = name;
  }

  get isIdle(): boolean {
    return !this.dead && this.activity === undefined;
  }

  /** Invokes the function. A dead environment gives no response, whatever its code still does. */
  async invoke<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result | 'died'> {
    this.activity = activity;
    try {
      return await Promise.race([work(), this.#death.promise]);
    } finally {
      this.activity = undefined;
    }
  }

  die(): void {
    this.dead = true;
    if (this.activity) this.activity.died = true;
    for (const call of [...this.#inFlight]) call.abandon();
    this.#death.resolve('died');
  }

  begin(call: InFlight): void {
    this.#inFlight.add(call);
  }

  end(call: InFlight): void {
    this.#inFlight.delete(call);
  }
}
