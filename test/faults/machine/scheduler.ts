import type { SeededRandom } from '../../random.ts';
import { settled, type VirtualTime } from './virtual-time.ts';

/** A step that waits for its turn. */
export interface Step {
  readonly actor: string;
  take(): void;
}

/** Enough for any schedule that ends; stops one that doesn't. */
const MAX_STEPS = 20_000;

/**
 * Gives turns. Nothing else runs between two turns, so the order of turns is the order in which calls reach the stores.
 * Time advances a little with every turn, and jumps to the next timer when everything waits for one.
 */
export class Scheduler {
  readonly #random: SeededRandom;
  readonly #time: VirtualTime;
  readonly #waiting: Step[] = [];
  /** Steps that nobody waits for: requests whose caller has given up. */
  readonly #stragglers: Step[] = [];
  readonly #priorities = new Map<string, number>();
  readonly #byPriority: boolean;
  readonly #slowest: number;

  constructor(random: SeededRandom, time: VirtualTime) {
    this.#random = random;
    this.#time = time;
    // Uniform random order finds shallow bugs; priorities find those where one actor must run far ahead of another.
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

  /** Does nothing if it was taken before. */
  takeStraggler(step: Step): void {
    const at = this.#stragglers.indexOf(step);
    if (at >= 0) this.#stragglers.splice(at, 1)[0]?.take();
  }

  /** Runs until the work is done; remaining stragglers arrive then. */
  async run(isDone: () => boolean): Promise<void> {
    for (let steps = 0; ; steps += 1) {
      await settled();
      if (isDone()) break;
      if (steps > MAX_STEPS) throw new Error(`Not done after ${MAX_STEPS} steps`);
      if (this.#stragglers.length > 0 && this.#random.chance(0.15)) this.#takeAnyStraggler();
      else if (this.#waiting.length > 0) await this.#turn();
      else if (!(await this.#time.skipToNextTimer())) throw new Error('Deadlock: everything waits');
    }
    while (this.#stragglers.length > 0) this.#takeAnyStraggler();
  }

  async #turn(): Promise<void> {
    const step = this.#byPriority ? this.#foremost() : this.#random.pick(this.#waiting);
    await this.#time.pass(this.#random.below(this.#slowest + 1));
    // The caller may have given up meanwhile.
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

  #takeAnyStraggler(): void {
    this.takeStraggler(this.#random.pick(this.#stragglers));
  }
}
