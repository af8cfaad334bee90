import { SIZES, type Size } from '../fixtures/index.ts';
import type { CallCount } from '../measure/calls.ts';
import type { Results } from '../measured.ts';
import { round } from './local-rows.ts';

type Cell = string | number;

/** A Markdown table, unpadded as everywhere in the docs. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export function callsSection({ calls, shelfCalls }: Pick<Results, 'calls' | 'shelfCalls'>): string {
  const names = [...new Set(calls.map(({ name }) => name))];
  const cell = (name: string, surface: CallCount['surface'], state: 'warm' | 'cold') =>
    calls.find((each) => each.name === name && each.surface === surface)?.[state] ?? '';
  const shelf = (name: string) => {
    const found = shelfCalls.find(
      (each) => each.name === (name === 'token_invalid' ? 'unknown token' : name),
    );
    if (!found) return '';
    return `${found.inSequence}${found.messages > 0 ? ' + SQS' : ''} (${found.inAll + found.messages} in all)`;
  };
  return `## Calls in sequence

![Calls in sequence](images/performance/calls.svg)

Counted at the client. Warm means that the function has the sender's configuration in memory, as for all requests but the first of a minute. The last call of each rejection is the one write that records it; Diagnostics follows from the stream. The off-the-shelf function caches nothing, so it has no cold state. Every delivery on Surface 1c has a key.

${table(
  ['', '1a warm', '1a cold', '1b warm', '1b cold', '1c warm', '1c cold', 'off the shelf'],
  names.map((name) => [
    name.startsWith('accepted') || name === 'replay'
      ? name
      : `\`${name.split(',')[0]}\`${name.includes(',') ? ', with key' : ''}`,
    cell(name, '1a', 'warm'),
    cell(name, '1a', 'cold'),
    cell(name, '1b', 'warm'),
    cell(name, '1b', 'cold'),
    cell(name, '1c', 'warm'),
    cell(name, '1c', 'cold'),
    shelf(name),
  ]),
)}`;
}

export function unitsSection({
  units,
  deliveryUnits,
  shelfUnits,
  noiseUnits,
  rejectionUnits,
  compression,
}: Results): string {
  const checks = [...units, ...shelfUnits].map(({ check }) => check);
  const sum = (name: 'reported' | 'computed') => checks.reduce((total, check) => total + check[name], 0);
  return `## Write units

![Write units](images/performance/write-units.svg)

Computed by AWS's rules from the requests on the wire: one unit per KB or part of one, for the table and for each index entry, doubled in transactions, and also for failed conditions. DynamoDB Local under-reports transactions. For single writes that succeed, its own count serves as a check: it reported ${sum('reported')} units where ${sum('computed')} were computed.

The bodies are committed in [bench/fixtures](../bench/fixtures). The one of 128 KB is a form with the visitor's history, which compresses well; 128 KB of random base64, which hardly compresses, cost ${noiseUnits} units here. The off-the-shelf function pays for its rate limiters on every lead: each first tries to start a new window, which fails and is charged, and then counts.

A delivery on Surface 1c has a key, and flat fields beside a nested body: ${deliveryUnits.map(({ size, writeUnits }) => `${writeUnits} units for ${size}`).join(', ')}.

A rejection costs ${rejectionUnits.inRequest} unit in the request. Including the recorder's writes it costs ${rejectionUnits.alone} units alone and ${round(rejectionUnits.inFlood, 2)} in a flood with 40 per batch.

A body is compressed if that saves a unit. Compressed size in bytes, and time on this machine:

${compressionTable(compression)}`;
}

function compressionTable(compression: Results['compression']): string {
  const codecs = [...new Set(compression.map(({ codec }) => codec))];
  const cell = (codec: string, size: Size) => {
    const found = compression.find((each) => each.codec === codec && each.size === size);
    return found ? `${found.bytes.toLocaleString('en')}, ${round(found.microseconds / 1_000, 2)} ms` : '';
  };
  return table(
    ['', ...SIZES],
    codecs.map((codec) => [codec, ...SIZES.map((size) => cell(codec, size))]),
  );
}

export function growthSection({ growth, ownerReads }: Results): string {
  const count = (value: number) => value.toLocaleString('en');
  return `## Growth

${table(
  [
    'stored leads of the form',
    'workspaces',
    'calls: accepted, with key, replay',
    'write units: without, with key',
  ],
  growth.map(({ leads, workspaces, calls, writeUnits }) => [
    count(leads),
    count(workspaces),
    calls.join(', '),
    writeUnits.join(', '),
  ]),
)}

DynamoDB calls of the owner's pages in a workspace with 100 leads and 100 rejections, and in one with ${count(growth.at(-1)?.leads ?? 0)} of each, spread over 30 days. A call reads at most 1 MB. The code never makes more calls than the last column says; beyond that, the page states from when on its figures are complete.

${table(
  ['page', 'calls with 100', `calls with ${count(growth.at(-1)?.leads ?? 0)}`, 'maximum'],
  ownerReads.map(({ page, few, many, most }) => [page, few, many, most]),
)}`;
}
