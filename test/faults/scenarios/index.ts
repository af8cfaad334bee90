import { afterThe202, duplicates, retries } from './duplicates.ts';
import { expiredRecord, keyAfterADay } from './expiry.ts';
import { belowTheLimit, dayLimit, hotGate, minuteLimit, oneSurfaceFull, rollover } from './limits.ts';
import { ownerRevokes, ownerRotates, ownerStops } from './owner-changes.ts';
import { recorder } from './recorder.ts';
import type { Scenario } from './scenario.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...[duplicates, retries, minuteLimit, dayLimit, rollover, belowTheLimit, hotGate],
  ...[oneSurfaceFull, expiredRecord, keyAfterADay],
  ...[ownerStops, ownerRevokes, ownerRotates, afterThe202, recorder],
];
