import { ASSUMPTIONS as A } from '../cost/assumptions.ts';
import { PRICES } from '../cost/prices.ts';
import type { Results } from '../results.ts';
import { round } from './row.ts';
import { table } from './table.ts';

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
- **Least work**: what the shelf would cost with one plain write for the enrichment and no statistics at all. ${dearer(costs)} What that buys is exactness: an enrichment never outlives its lead, and every lead is counted once (${background.stats.writeUnits} write units a lead for the statistics, ${background.enrichment['400 B'].writeUnits} for the enrichment of a small one).

By service, a lead of 1 KB without a key:

${byService(costs)}

Assumed, for all alike: ${A.dynamoDbMilliseconds} ms a DynamoDB call, ${A.sqsMilliseconds} ms an SQS call, ${A.leadsPerBatch} leads a batch in the background, every lead clean, ${A.memoryGigabytes * 1_024} MB, ${A.platformLogBytes} bytes of Lambda's own log lines, ${A.accessLogBytes} of the access log, ${A.tracedShare * 100} % traced. Our own line (${logLineBytes} bytes a submission) is charged to us; the shelf logs nothing. Left out, since a lead does not change them: storage, data transfer, the KMS keys with their rotation (DynamoDB keeps its data key in memory), and what is [paid by the month](deploy.md#what-it-costs-when-nobody-uses-it): alarms, custom metrics, the web ACL itself. Streams are read by Lambda, for which AWS charges nothing (a write unit is $ ${round(PRICES.writeUnit * 1e6, 3)} a million).`;
}

/** Said in words, since no goal asks for it. */
function dearer(costs: Results['costs']): string {
  const sizes = costs.filter(({ whole, leastShelf }) => whole.ours > leastShelf);
  if (sizes.length === 0) return 'This service is cheaper than that too.';
  const named = sizes.map(({ size, keyed }) => (keyed ? `${size} with key` : size));
  const most = Math.max(...sizes.map(({ whole, leastShelf }) => whole.ours / leastShelf - 1));
  return `This service is dearer than that for ${named.join(', ')}, by ${round(most * 100, 0)} % at most.`;
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
