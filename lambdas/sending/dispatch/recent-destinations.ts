import { BoundedMap } from '#aws/bounded-map.ts';
import type { Destination } from '../destination.ts';
import type { DestinationReader } from '../destinations-store.ts';

/** What has been read about workspaces lately. */
export interface RecentDestinations {
  /** The destinations as they were when something happened, or later. Undefined if they were last read before. */
  since(workspaceId: string, at: number): Promise<Destination[]> | undefined;
  read(workspaceId: string, signal: AbortSignal): Promise<Destination[]>;
}

/** By how much the clocks of two functions may differ. */
const CLOCKS_DIFFER_MS = 1_000;
/** So that events of a backup that is restored meet the destinations of now. */
const KEPT_MS = 10_000;
const KEPT_WORKSPACES = 1_000;

interface Reading {
  readonly list: Promise<Destination[]>;
  readonly begunAt: number;
}

/**
 * Events that wait while others are dispatched are older than what was read for those. Nothing newer is needed: a
 * destination that was made after the event does not get it, and `send` reads whether one still wants messages.
 */
export function makeRecentDestinations(
  destinations: DestinationReader,
  now: () => number,
): RecentDestinations {
  const readings = new BoundedMap<Reading>(KEPT_WORKSPACES);
  return {
    since(workspaceId, at) {
      const { list, begunAt = 0 } = readings.get(workspaceId) ?? {};
      return begunAt - CLOCKS_DIFFER_MS >= at && now() - begunAt < KEPT_MS ? list : undefined;
    },
    async read(workspaceId, signal) {
      const reading = { list: destinations.list(workspaceId, signal), begunAt: now() };
      readings.set(workspaceId, reading);
      try {
        return await reading.list;
      } catch (error) {
        if (readings.get(workspaceId) === reading) readings.delete(workspaceId);
        throw error;
      }
    },
  };
}
