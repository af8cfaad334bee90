import { ASSUMPTIONS as A, PRICES, SENDING_ASSUMPTIONS as S, totalOf } from '../cost/prices.ts';
import { SIZES, type Size } from '../fixtures/index.ts';
import type { CallCount } from '../measure/calls.ts';
import type { Results } from '../measurements.ts';
import { round } from './local-rows.ts';

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

Counted at the client. Warm means that the function has the sender's configuration in memory, as for all requests but the first of a minute. The last call of each rejection is the one write that records it; Diagnostics follows from the stream. The off-the-shelf function caches nothing, so it has no cold state.

${table(
  ['', '1a warm', '1a cold', '1b warm', '1b cold', 'off the shelf'],
  names.map((name) => [
    name.startsWith('accepted') || name === 'replay'
      ? name
      : `\`${name.split(',')[0]}\`${name.includes(',') ? ', with key' : ''}`,
    cell(name, '1a', 'warm'),
    cell(name, '1a', 'cold'),
    cell(name, '1b', 'warm'),
    cell(name, '1b', 'cold'),
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

Computed by AWS's rules from the requests on the wire: one unit per KB or part of one, for the table and for each index entry, doubled in transactions, and also for failed conditions. DynamoDB Local under-reports transactions. For single writes that succeed, its own count serves as a check: it reported ${sum('reported')} units where ${sum('computed')} were computed.

The bodies are committed in [bench/fixtures](../bench/fixtures). The one of 128 KB is a form with the visitor's history, which compresses well; 128 KB of random base64, which hardly compresses, cost ${noiseUnits} units here. The off-the-shelf function pays for its rate limiters on every lead: each first tries to start a new window, which fails and is charged, and then counts.

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

export function dollarsSection({ costs, background, logLineBytes }: Results): string {
  return `## US dollars per million accepted leads

![US dollars](images/performance/dollars.svg)

List prices in us-east-1 without free tiers ([bench/cost/prices.ts](../bench/cost/prices.ts), with links to the pricing pages), applied to the counts above.

${table(
  [
    'body',
    'to the queue',
    'off the shelf',
    'whole stack',
    'off the shelf, same work',
    'off the shelf, least work',
  ],
  costs.map(({ size, keyed, toTheQueue, whole, leastShelf }) => [
    keyed ? `${size}, with key` : size,
    ...[toTheQueue.ours, toTheQueue.shelf, whole.ours, whole.shelf, leastShelf].map((each) => round(each)),
  ]),
)}

- **To the queue**: the lead is stored and its message is queued. The off-the-shelf function ends here.
- **Whole stack**: with enrichment and statistics. The goal compares like with like: both use the same two functions.
- **Least work**: the off-the-shelf function with one plain write for the enrichment and no statistics. ${comparedToLeast(costs)} The difference pays for exactness: an enrichment never outlives its lead, and every lead is counted once (${background.stats.writeUnits} write units per lead for the statistics, ${background.enrichment['400 B'].writeUnits} for the enrichment of a small lead).

By service, for a lead of 1 KB without a key:

${byService(costs)}

Assumptions, the same for both: ${A.dynamoDbMilliseconds} ms per DynamoDB call, ${A.sqsMilliseconds} ms per SQS call, ${A.leadsPerBatch} leads per background batch, every lead clean, ${A.memoryGigabytes * 1_024} MB, ${A.platformLogBytes} bytes of Lambda's own log lines, ${A.accessLogBytes} of the access log, ${A.tracedShare * 100} % traced. Our own line (${logLineBytes} bytes per submission) counts for us; the off-the-shelf function logs nothing. Not included, since they don't depend on single leads: storage, data transfer, KMS keys with their rotation (DynamoDB caches its data key), and [monthly costs](deploy.md#what-it-costs-when-nobody-uses-it): alarms, custom metrics, the web ACL itself. Lambda reads streams free of charge (write units cost $ ${round(PRICES.writeUnit * 1e6, 3)} per million).`;
}

/** In a sentence, because it has no goal. */
function comparedToLeast(costs: Results['costs']): string {
  const sizes = costs.filter(({ whole, leastShelf }) => whole.ours > leastShelf);
  if (sizes.length === 0) return 'This service is cheaper than that, too.';
  const named = sizes.map(({ size, keyed }) => (keyed ? `${size} with key` : size));
  const most = Math.max(...sizes.map(({ whole, leastShelf }) => whole.ours / leastShelf - 1));
  return `This service costs more than that for ${named.join(', ')}, by at most ${round(most * 100, 0)} %.`;
}

function byService(costs: Results['costs']): string {
  const found = costs.find(({ size, keyed }) => size === '1 KB' && !keyed);
  if (!found) return '';
  const { ours, shelf } = found.byService;
  return table(
    ['', 'this service', 'off the shelf'],
    Object.keys(ours).map((service) => [service, round(ours[service] ?? 0), round(shelf[service] ?? 0)]),
  );
}

export function sendingSection({ sending }: Pick<Results, 'sending'>): string {
  const services = Object.keys(sending[0]?.byService ?? {});
  const row = (name: string, values: (of: Results['sending'][number]) => number) => [
    name,
    ...sending.map((each) => round(values(each))),
  ];
  return `## US dollars for forwarding

For one million lead events, in addition to the cost of the lead itself, with webhooks that accept every message. The columns are the number of destinations and the size of the lead:

${table(
  [
    '',
    ...sending.map(({ size, destinations }) =>
      destinations === 0 ? 'no destination' : `${destinations} × ${size}`,
    ),
  ],
  [
    ...services.map((service) => row(service, ({ byService }) => byService[service] ?? 0)),
    row('**total**', ({ byService }) => totalOf(byService)),
    [
      '**per million messages**',
      ...sending.map(({ byService, destinations }) =>
        destinations === 0 ? '' : `**${round(totalOf(byService) / destinations)}**`,
      ),
    ],
  ],
)}

Read and write units, calls to SQS and log bytes are counted from the calls of \`dispatch\` and \`send\` (\`npm run bench -- --only sending\`) for ${S.batch} leads. A message costs ${sentence(sending)}. Dispatch reads the destinations of a workspace once per batch; here all ${S.batch} events are of one workspace, otherwise each workspace adds $ 0.13 per million events. It makes one SQS call per ${S.batch} messages. Receiving and deleting takes two SQS requests per ${S.batch} on each of the two queues, and the relay one more.

Assumptions: batches of ${S.batch}, sent in parallel; a receiver that takes ${S.receiverMilliseconds} ms; ${S.processorMilliseconds} ms of processor time per message; ${A.memoryGigabytes * 1_024} MB on arm64; otherwise as above. A slower receiver costs more: a second adds $ ${round((PRICES.lambdaGigabyteSecond * 1e6) / S.batch)} per million messages. A failed attempt costs as much as a successful one and about five more write units. Not included: data transfer, the sweep that runs every minute, email (SES charges $ 100 per million) and the event bus (EventBridge charges $ 1 per million events).`;
}

function sentence(sending: Results['sending']): string {
  const one = sending.find(({ size, destinations }) => size === '1 KB' && destinations === 1);
  if (!one) return '';
  const { readUnits, writeUnits, messages } = one;
  return `${(readUnits - 1) / messages} read units (destination, secret, message, health and lead, in one strongly consistent call) and ${writeUnits / messages} write unit`;
}
