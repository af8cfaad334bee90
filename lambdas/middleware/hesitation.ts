import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 5;

/** Called before a sender who has proved nothing is answered. */
export type Hesitate = () => Promise<void>;

/**
 * A wait drawn by lot. Every cause of a rejection makes the same calls and does the same work, yet a record that was
 * found takes some microseconds longer to handle than none: this buries them. To see one microsecond through it takes
 * tens of millions of requests.
 */
export function hesitation(random: () => number): Hesitate {
  return () => sleep(drawMilliseconds(random));
}

export function drawMilliseconds(random: () => number): number {
  return random() * LONGEST_MS;
}
