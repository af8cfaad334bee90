import { settled, type VirtualTime } from './virtual-time.ts';

/** Something that waits for its turn. */
export interface Step {
  readonly actor: string;
  take(): void;
}

/** Enough for any schedule that ends, and an end for one that does not. */
const MOST_STEPS = 5_000;

/**
 * Gives turns. Between two turns everything else stands still, so that the order of turns is the order in which the
 * calls of all requests reach the stores. Time passes a little with every turn, and jumps to the next timer when
 * nobody can go on without it.
 */
export class Scheduler {
  readonly #random: SeededRandom;
  readonly #time: VirtualTime;
  readonly #waiting: Step[] = [];
  /** Steps that nobody waits for: requests whose sender has given up on them. */
  readonly #stragglers: Step[] = [];
  readonly #priorities = new Map<string, number>();
  readonly #byPriority: boolean;
  readonly #slowest: number;

  constructor(random: SeededRandom, time: VirtualTime) {
    this.#random = random;
    this.#time = time;
    // Any order alike finds shallow mistakes; one actor far ahead of another finds those that need a long lead.
    this.#byPriority = random.chance(0.5);
    this.#slowest = random.pick([1, 4, 12, 40]);
  }

  offer(step: Step): void {
    this.#waiting.push(step);
  }

  withdraw(step: Step): boolean {
    const at = this.#waiting.indexOf(step);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  leaveBehind(step: Step): void {
    this.#stragglers.push(step);
  }

  /** Until the work is done; stragglers arrive at the latest then. */
  async run(isDone: () => boolean): Promise<void> {
    for (let steps = 0; ; steps += 1) {
      await settled();
      if (isDone()) break;
      if (steps > MOST_STEPS) throw new Error(`No end after ${MOST_STEPS} steps`);
      if (this.#stragglers.length > 0 && this.#random.chance(0.15)) this.#takeStraggler();
      else if (this.#waiting.length > 0) await this.#turn();
      else if (!(await this.#time.skipToNextTimer())) throw new Error('Everybody waits for nothing');
    }
    while (this.#stragglers.length > 0) this.#takeStraggler();
  }

  async #turn(): Promise<void> {
    const step = this.#byPriority ? this.#foremost() : this.#random.pick(this.#waiting);
    await this.#time.pass(this.#random.below(this.#slowest + 1));
    // It may have been given up meanwhile.
    if (this.withdraw(step)) step.take();
  }

  #foremost(): Step {
    for (const { actor } of this.#waiting) {
      if (!this.#priorities.has(actor)) this.#priorities.set(actor, this.#random.next());
    }
    const priority = ({ actor }: Step) => this.#priorities.get(actor) as number;
    const first = this.#waiting.reduce((best, step) => (priority(step) > priority(best) ? step : best));
    if (this.#random.chance(0.2)) this.#priorities.set(first.actor, this.#random.next());
    return first;
  }

  #takeStraggler(): void {
    const at = this.#random.below(this.#stragglers.length);
    this.#stragglers.splice(at, 1)[0]?.take();
  }
}

/** All chance in a schedule comes from its seed: the same seed makes the same schedule. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighbouring seeds must not begin alike.
    for (let i = 0; i < 8; i += 1) this.next();
  }

  /** mulberry32: from 0 up to, and without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From 0 to one below the end. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }

  /** A stream of its own, so that draws for one purpose do not shift those for another. */
  fork(): SeededRandom {
    return new SeededRandom(this.below(2 ** 32));
  }
}
