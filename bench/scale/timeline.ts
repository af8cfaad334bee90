/** A course of events in simulated time: it yields the milliseconds that it waits. */
export type Course<Outcome> = Generator<number, Outcome, void>;

interface Due {
  readonly at: number;
  readonly order: number;
  readonly course: Course<void>;
}

/** Simulated time, in milliseconds: what is due first goes on first, and equals in the order in which they came. */
export class Timeline {
  now = 0;
  private readonly heap: Due[] = [];
  private scheduled = 0;

  start(course: Course<void>, afterMilliseconds: number): void {
    this.scheduled += 1;
    this.push({ at: this.now + afterMilliseconds, order: this.scheduled, course });
  }

  runToEnd(): void {
    for (let due = this.pop(); due; due = this.pop()) {
      this.now = due.at;
      const { done, value } = due.course.next();
      if (!done) this.start(due.course, value);
    }
  }

  private push(due: Due): void {
    const { heap } = this;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(due, heap[parent] as Due)) break;
      heap[at] = heap[parent] as Due;
      at = parent;
    }
    heap[at] = due;
  }

  private pop(): Due | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child += 1;
      if (!isBefore(heap[child] as Due, last)) break;
      heap[at] = heap[child] as Due;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Mulberry32: the same run every time. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
