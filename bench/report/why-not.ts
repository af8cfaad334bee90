import type { RowId } from './row.ts';

/** Said beside a goal that is missed, and only then. */
export const WHY_NOT: Readonly<Partial<Record<RowId, string>>> = {
  'cpu to floor':
    'An accepted request makes two calls where the floor makes one, and each call costs the SDK and the socket as much as the floor does in all; scoring comes on top. Less would need another HTTP client or no scoring.',
  bundle:
    'Scoring brings its word lists, domain lists and phone metadata, and the document client brings the SDK; what is left is named in docs/decisions.',
  import: 'Most of it is the SDK itself, which both bundles load.',
  throughput:
    'All three share two processors with the gateway, the load generator and DynamoDB Local, so what is saved in the function shows only in part.',
  start:
    'Most of it is the synthesis of the stack and the start of the Java virtual machine, and on a machine that is busy with other things both take longer.',
  'local cpu':
    'Half of it is DynamoDB Local, which takes four calls and some polling for each lead, and other programs on the same processors make every millisecond longer.',
  'local throughput':
    'The load generator, Node and Java share the processors, so anything else that runs there takes from it.',
  'local memory':
    'The leads themselves lie in the memory of DynamoDB Local, with their indexes and stream records; each thread of Node has a heap of its own.',
  suite:
    'Tests run in plain Node, in tiers. What is left is the work itself, on real engines: all files share one DynamoDB Local, so it scales with the cores of the machine only in part.',
  scoring:
    "By processor time as well as by the clock; the worst of the hostile bodies keeps its goal. Scoring's share of a request is in the profile below.",
  dollars:
    'Exact statistics and the enrichment that leaves no orphan are transactions, which DynamoDB charges twice.',
};
