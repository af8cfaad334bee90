import type { Outcome } from './outcome.ts';

/** A fault that struck a call, or a call that was given up because time ran out. */
export interface Strike {
  readonly outcome: Outcome | 'gave up';
  readonly operation: string;
  readonly table: string;
}

/** One invocation of a function: what it is called in the timeline, and what it suffered. */
export interface Activity {
  readonly name: string;
  readonly strikes: Strike[];
  died: boolean;
}

interface InFlight {
  abandon(): void;
}

/** Where a function runs: one invocation at a time, as on Lambda. When it dies, its memory dies with it. */
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

  /** Invokes the function. Who dies on the way gives no answer, whatever the rest of the code still does. */
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
