import type { Results } from '../measured.ts';
import { table } from './counted-sections.ts';
import { round } from './local-rows.ts';

const count = (value: number) => value.toLocaleString('en');

/** What owners' searches read. */
export function searchSection({ search, parts }: Pick<Results, 'search' | 'parts'>): string {
  const names = search[0]?.reads.map((each) => each.search) ?? [];
  const { averageEntryBytes = 0, writeUnitsPerLead = 0 } = search.at(-1) ?? {};
  const cells = (name: string) =>
    search.flatMap(({ reads }) => {
      const read = reads.find((each) => each.search === name);
      return read ? [count(read.readUnits), read.calls, round(read.milliseconds / 1_000), read.steps] : [];
    });
  return `## Search

What a search reads until its first page of 50 leads is full or the list has ended, in a workspace with ${search.map(({ leads }) => count(leads)).join(' and ')} leads, one per minute. A lead's list entry has ${round(averageEntryBytes, 0)} bytes on average; all its entries together take ${round(writeUnitsPerLead, 0)} write units. Only one lead in a hundred has its person entries here, since a search for a person reads no others. A step is one request of the console.

${table(
  [
    'search',
    ...search.flatMap(({ leads }) => [`${count(leads)} leads: read units`, 'calls', 'seconds', 'steps']),
  ],
  names.map((name) => [name, ...cells(name)]),
)}

Units are the same everywhere. Seconds are those of DynamoDB Local on ${parts.search?.at.slice(0, 10)}, at a load average of ${search.map(({ loadPerProcessor }) => round(loadPerProcessor, 1)).join(' and ')} per processor; above 1, other programs were using the machine, too. A step ends when the next calls would take it beyond 4 seconds, judged by the ones before; the longest took ${round(longest(search) / 1_000, 1)} s.`;
}

function longest(search: Results['search']): number {
  return Math.max(...search.flatMap(({ reads }) => reads.map((read) => read.longestStepMilliseconds)));
}

/** What watching costs. */
export function alertsSection({ alerts }: Pick<Results, 'alerts'>): string {
  const { workspaces, active, calls, readUnits, processorMilliseconds, dollarsPerWorkspace } = alerts;
  return `## Alerts

There are ${count(workspaces)} workspaces, and ${count(active)} of them are active. One evaluation makes ${count(calls)} calls and reads ${count(readUnits)} units. It takes ${round(processorMilliseconds, 1)} ms of processor time per active workspace. The first evaluation of a day reads ${count(alerts.dailyReadUnits)} units and writes ${count(alerts.dailyWriteUnits)}. An active workspace costs US $ ${round(dollarsPerWorkspace, 3)} per month.`;
}
