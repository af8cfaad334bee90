import { violations } from './invariants/index.ts';
import { WEATHERS } from './machine/outcome.ts';
import { SeededRandom } from './machine/scheduler.ts';
import { type Scenario, USUAL_START } from './scenarios/scenario.ts';
import type { Kit } from './service/sender.ts';
import { World } from './service/world.ts';

export interface ScheduleResult {
  readonly scenario: string;
  readonly seed: number;
  readonly fingerprint: string;
  readonly violations: readonly string[];
  readonly timeline: readonly string[];
}

/** One schedule from its seed to the check of what it left behind. */
export async function runSchedule(
  kit: Kit,
  scenario: Scenario,
  seed: number,
  keepTimeline: boolean,
): Promise<ScheduleResult> {
  const random = new SeededRandom(seed);
  const weather = scenario.weather ?? random.pick(WEATHERS);
  const startAt = scenario.startAt?.(random) ?? USUAL_START;
  const world = new World(kit, { random, weather, startAt, keepTimeline });
  const found: string[] = [];
  try {
    scenario.stage(world);
    await world.run();
    found.push(...violations(world));
  } catch (error) {
    found.push(`the schedule itself failed: ${(error as Error).stack}`);
  }
  return {
    scenario: scenario.name,
    seed,
    fingerprint: world.timeline.fingerprint(),
    violations: found,
    timeline: [`weather: ${weather.name}`, ...world.timeline.lines()],
  };
}
