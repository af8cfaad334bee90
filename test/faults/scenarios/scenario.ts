import type { Weather } from '../machine/outcome.ts';
import type { SeededRandom } from '../machine/seeded-random.ts';
import type { World } from '../service/world.ts';
import type { ScenarioName } from './names.ts';

/** A situation: what is there at the beginning, and who does what. The seed decides the rest. */
export interface Scenario {
  readonly name: ScenarioName;
  /** Where the scenario is about one; else the seed picks it. */
  readonly weather?: Weather;
  startAt?(random: SeededRandom): number;
  stage(world: World): void;
}

/** In the middle of a minute and of a day, where no window ends soon. */
export const USUAL_START = Date.parse('2026-11-15T12:00:10.250Z');
