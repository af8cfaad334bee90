import { ASSUMPTIONS as A, PRICES, SENDING_ASSUMPTIONS as S, totalOf } from '../cost/prices.ts';
import type { StackCost, StackPart } from '../measure/cost.ts';
import type { Results } from '../measured.ts';
import { table } from './counted-sections.ts';
import { round } from './local-rows.ts';

const TITLES: Readonly<Record<string, string>> = {
  ingest: 'ingest, with gateway and web ACL',
  relay: 'relay, from the stream to the queues',
  index: 'search index',
};

/** The bill of one clean lead, function by function. */
export function stackSection({ stackCost }: { readonly stackCost: StackCost }): string {
  const { parts, whole, backgroundWriteUnits, forwarding } = stackCost;
  const amount = (value: number) => String(Number(value.toFixed(2)));
  const row = ({ part, use, dollars }: StackPart, mark = '') => [
    `${mark}${TITLES[part] ?? part}${mark}`,
    ...[use?.writeUnits, use?.readUnits, use?.dynamoDbCalls, use?.sqsRequests, use?.invocations].map(
      (value) => (value === undefined ? '' : amount(value)),
    ),
    `${mark}${round(dollars)}${mark}`,
  ];
  const { none, webhook } = forwarding;
  return `## Whole stack

What one clean lead of 1 KB uses, from the request to search, and US dollars per million of them. The real functions handle a batch of ${A.leadsPerBatch} leads of one workspace on DynamoDB Local; units, calls, requests and log bytes are counted.

${table(
  [
    'function',
    'write units',
    'read units',
    'DynamoDB calls',
    'SQS requests',
    'invocations',
    'US $ per million',
  ],
  [
    ...parts.map((part) => row(part)),
    row(whole, '**'),
    row({ part: 'events, if no destination wants them', dollars: none }),
    row({ part: 'events, with one webhook for accepted leads', dollars: webhook }),
  ],
)}

Background work takes ${amount(backgroundWriteUnits)} write units per lead without destinations. The last two rows are not in the sum, and one of them comes on top: each clean lead is announced twice, as accepted and as enriched, and dispatch looks for destinations even if there are none. [Forwarding](#us-dollars-for-forwarding) has the details.

Leads of several workspaces in one batch cost more for the statistics: one write unit per form and one read unit per workspace, instead of one of each. The first lead of a workspace in a month costs one write unit more for the index, and the first of a day one more for the statistics. A lead without a phone number costs one write unit less, and each further address in its body, up to three, one more. A lead that is not clean is not enriched.`;
}

type DollarResults = Pick<Results, 'costs' | 'logLineBytes'>;

export function dollarsSection({ costs, logLineBytes }: DollarResults): string {
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
- **Whole stack**: with enrichment, statistics and search, without forwarding. The goal compares like with like: both use the same functions. The off-the-shelf lead is stored uncompressed, so these functions read more.
- **Least work**: the off-the-shelf function with one plain write for the enrichment, no statistics and no search. ${comparedToLeast(costs)}

By service, for a lead of 1 KB without a key:

${byService(costs)}

Assumptions, the same for both: ${A.dynamoDbMilliseconds} ms per DynamoDB call, ${A.sqsMilliseconds} ms per SQS call, ${A.leadsPerBatch} leads per background batch, which takes ${A.batchMilliseconds.relay} ms in the relay, ${A.batchMilliseconds.statistics} in statistics, ${A.batchMilliseconds.enrichment} in enrichment and ${A.batchMilliseconds.index} in the index, every lead clean, ${A.memoryGigabytes * 1_024} MB, ${A.platformLogBytes} bytes of Lambda's own log lines per invocation, ${A.accessLogBytes} of the access log, ${A.tracedShare * 100} % of invocations traced. X-Ray also traces the first request of each second, so in a small stack a larger share is traced, at $ ${round(PRICES.trace * 1e6, 0)} per million. Our own line (${logLineBytes} bytes per submission) counts for us; the off-the-shelf function logs nothing. The background functions' own lines count for both. Not included, since they don't depend on single leads: storage, data transfer, searches and other requests of owners, polls of empty queues, KMS keys with their rotation (DynamoDB caches its data key), and [monthly costs](deploy.md#what-it-costs-when-nobody-uses-it): alarms, custom metrics, the web ACL itself. Lambda reads streams free of charge (write units cost $ ${round(PRICES.writeUnit * 1e6, 3)} per million).`;
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

Read and write units, calls to SQS and log bytes are counted from the calls of \`dispatch\` and \`send\` (\`npm run bench -- --only sending\`) for ${S.batch} leads. A message costs ${sentence(sending)}. Dispatch reads the destinations of a workspace once per batch, or less often if their events have waited for a second or more; here all ${S.batch} events are of one workspace, otherwise each workspace adds $ 0.13 per million events. It makes one SQS call per ${S.batch} messages. Receiving and deleting takes two SQS requests per ${S.batch} on each of the two queues, and the relay one more.

Assumptions: batches of ${S.batch}, sent in parallel; a receiver that takes ${S.receiverMilliseconds} ms; ${S.processorMilliseconds} ms of processor time per message; ${A.memoryGigabytes * 1_024} MB on arm64; otherwise as above. A slower receiver costs more: a second adds $ ${round((PRICES.lambdaGigabyteSecond * 1e6) / S.batch)} per million messages. A failed attempt costs as much as a successful one and about five more write units. Not included: data transfer, the sweep that runs every minute, email (SES charges $ 100 per million) and the event bus (EventBridge charges $ 1 per million events).`;
}

function sentence(sending: Results['sending']): string {
  const one = sending.find(({ size, destinations }) => size === '1 KB' && destinations === 1);
  if (!one) return '';
  const { readUnits, writeUnits, messages } = one;
  return `${(readUnits - 1) / messages} read units (destination, secret, message, health and lead, in one strongly consistent call) and ${writeUnits / messages} write unit`;
}
