import { ASSUMPTIONS as A, PRICES } from '../cost/prices.ts';
import { SIZES, type Size } from '../fixtures/index.ts';
import type { CallCount } from '../measure/calls.ts';
import type { Results } from '../measurements.ts';
import { round } from './rows.ts';

type Cell = string | number;

/** A Markdown table, unpadded as everywhere in the docs. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export function callsSection({ calls, shelfCalls }: Results): string {
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

Counted at the client. Warm: the function knows the sender's configuration, as all but the first request of a minute find it. Recording a rejection is the last call of each rejection, and one write; Diagnostics follows off the stream. The shelf has no cold state: it keeps nothing.

${table(
  ['', '1a warm', '1a cold', '1b warm', '1b cold', 'from the shelf'],
  names.map((name) => [
    name.startsWith('accepted') || name === 'replay'
      ? name
      : `\`${name.split(',')[0]}\`${name.includes(',') ? ', with key' : ''}`,
    ...[
      cell(name, '1a', 'warm'),
      cell(name, '1a', 'cold'),
      cell(name, '1b', 'warm'),
      cell(name, '1b', 'cold'),
    ],
    shelf(name),
  ]),
)}`;
}

export function unitsSection({
  units,
  shelfUnits,
  noiseUnits,
  rejectionUnits,
  compression,
}: Results): string {
  const checks = [...units, ...shelfUnits].map(({ check }) => check);
  const sum = (name: 'reported' | 'computed') => checks.reduce((total, check) => total + check[name], 0);
  return `## Write units

![Write units](images/performance/write-units.svg)

Computed by AWS's rules from what really goes over the wire: a unit for each KB begun, of the table and of each index entry, twice in a transaction, and for a condition that fails as well. DynamoDB Local under-reports transactions; where a call is a single write that succeeds, its own count serves as a check: it reported ${sum('reported')} units where ${sum('computed')} were computed.

The bodies are committed in [bench/fixtures](../bench/fixtures). That of 128 KB is a form with the visitor's history, which compresses well; 128 KB of random base64, in which there is nothing to find but the alphabet, cost ${noiseUnits} units here. The shelf pays for its limiters on every lead: each asks first whether the window is over, which is refused and charged, and then counts.

A rejection costs ${rejectionUnits.inRequest} unit in the request, and with what the recorder makes of it ${rejectionUnits.alone} units alone and ${round(rejectionUnits.inFlood, 2)} in a flood of 40 in each batch.

A body is compressed where that saves a unit. What each way would make of it, in bytes, and how long that takes on this machine:

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
  return `## As it grows

${table(
  [
    'stored leads of the form',
    'workspaces',
    'calls: accepted, with key, replay',
    'write units: without, with key',
  ],
  growth.map(({ leads, workspaces, calls, writeUnits }) => [
    ...[count(leads), count(workspaces), calls.join(', '), writeUnits.join(', ')],
  ]),
)}

What the owner's pages ask of DynamoDB in a workspace with 100 leads and 100 rejections, and in one with ${count(growth.at(-1)?.leads ?? 0)} of each, spread over 30 days. A call reads 1 MB at most, and the code stops at the number in the last column, however many leads and rejections there are; it then says from when on its figures are complete.

${table(
  ['page', 'calls with 100', `calls with ${count(growth.at(-1)?.leads ?? 0)}`, 'never more than'],
  ownerReads.map(({ page, few, many, most }) => [page, few, many, most]),
)}`;
}

export function dollarsSection({ costs, background, logLineBytes }: Results): string {
  return `## US dollars a million accepted leads

![US dollars](images/performance/dollars.svg)

List prices of us-east-1 without free tiers ([bench/cost/prices.ts](../bench/cost/prices.ts), each with its page), over what was counted above.

${table(
  [
    'body',
    'to the queue',
    'shelf',
    'whole stack',
    'shelf, same work behind it',
    'shelf, least work behind it',
  ],
  costs.map(({ size, keyed, toTheQueue, whole, leastShelf }) => [
    keyed ? `${size}, with key` : size,
    ...[toTheQueue.ours, toTheQueue.shelf, whole.ours, whole.shelf, leastShelf].map((each) => round(each)),
  ]),
)}

- **To the queue**: the lead is stored and its message waits. That is as far as the composition from the shelf goes.
- **Whole stack**: with enrichment and statistics. The goal compares like with like: the same two functions behind either.
- **Least work**: what the shelf would cost with one plain write for the enrichment and no statistics at all. ${comparedToLeast(costs)} What that buys is exactness: an enrichment never outlives its lead, and every lead is counted once (${background.stats.writeUnits} write units a lead for the statistics, ${background.enrichment['400 B'].writeUnits} for the enrichment of a small one).

By service, a lead of 1 KB without a key:

${byService(costs)}

Assumed, for all alike: ${A.dynamoDbMilliseconds} ms a DynamoDB call, ${A.sqsMilliseconds} ms an SQS call, ${A.leadsPerBatch} leads a batch in the background, every lead clean, ${A.memoryGigabytes * 1_024} MB, ${A.platformLogBytes} bytes of Lambda's own log lines, ${A.accessLogBytes} of the access log, ${A.tracedShare * 100} % traced. Our own line (${logLineBytes} bytes a submission) is charged to us; the shelf logs nothing. Left out, since a lead does not change them: storage, data transfer, the KMS keys with their rotation (DynamoDB keeps its data key in memory), and what is [paid by the month](deploy.md#what-it-costs-when-nobody-uses-it): alarms, custom metrics, the web ACL itself. Streams are read by Lambda, for which AWS charges nothing (a write unit is $ ${round(PRICES.writeUnit * 1e6, 3)} a million).`;
}

/** Said in words, since no goal asks for it. */
function comparedToLeast(costs: Results['costs']): string {
  const sizes = costs.filter(({ whole, leastShelf }) => whole.ours > leastShelf);
  if (sizes.length === 0) return 'This service is cheaper than that too.';
  const named = sizes.map(({ size, keyed }) => (keyed ? `${size} with key` : size));
  const most = Math.max(...sizes.map(({ whole, leastShelf }) => whole.ours / leastShelf - 1));
  return `This service is comparedToLeast than that for ${named.join(', ')}, by ${round(most * 100, 0)} % at most.`;
}

function byService(costs: Results['costs']): string {
  const found = costs.find(({ size, keyed }) => size === '1 KB' && !keyed);
  if (!found) return '';
  const { ours, shelf } = found.byService;
  return table(
    ['', 'this service', 'from the shelf'],
    Object.keys(ours).map((service) => [service, round(ours[service] ?? 0), round(shelf[service] ?? 0)]),
  );
}
