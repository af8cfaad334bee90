import type { Defect } from './defects.ts';

const LEDGER = { file: '/lambdas/rejections/ledger-store.ts', scenarios: ['recorder'] };

/** What somebody could get wrong in the recorder, who expects a batch to come again as it was. */
export const RECORDER_DEFECTS: readonly Defect[] = [
  {
    ...LEDGER,
    name: 'a mark per batch instead of a watermark',
    from: `let mark = marks.get(markName) ?? (await readMark(shard, signal));
    const newOnes = () => above(mark, rejections);`,
    to: `shard = { ...shard, shardId: \`\${shard.shardId}/\${rejections[0]?.sequenceNumber}\` };
    let mark = await readMark(shard, signal);
    const newOnes = () => (mark === undefined ? above(mark, rejections) : []);`,
  },
  {
    ...LEDGER,
    name: 'watermark moved after the counters, in a call of its own',
    from: 'await client.send(enterCommand(tables.diagnostics, moved, counters), { abortSignal: signal });',
    to: `const [move, ...raises] = enterCommand(tables.diagnostics, moved, counters).input.TransactItems ?? [];
        for (const TransactItems of [raises, move ? [move] : []]) {
          await client.send(new TransactWriteCommand({ TransactItems }), { abortSignal: signal });
        }`,
  },
  {
    ...LEDGER,
    name: 'no condition on the watermark',
    from: "move.from === undefined ? 'attribute_not_exists(sk)' : 'sequenceNumber = :from',",
    // DynamoDB refuses values that no expression uses, so the old number is still named.
    to: "move.from === undefined ? 'attribute_not_exists(nothing)' : ':from = :from OR sequenceNumber = :from',",
  },
  {
    ...LEDGER,
    name: 'counters not cut at a prefix',
    from: 'if (counters.size + added > MAX_COUNTERS) break;',
    to: 'if (counters.size + added > MAX_COUNTERS) continue;',
  },
  {
    ...LEDGER,
    name: 'watermark moved to the end of the batch',
    from: 'const next = String(prefix.at(-1)?.sequenceNumber);',
    to: 'const next = String(newOnes().at(-1)?.sequenceNumber);',
  },
  {
    ...LEDGER,
    name: 'one watermark for all shards of a stream',
    from: `workspaceId: \`watermark#\${shardId}\``,
    to: `workspaceId: \`watermark#\${shardId && 'all'}\``,
  },
  {
    ...LEDGER,
    name: 'sequence numbers compared as text',
    from: '.filter(({ sequenceNumber }) => sequenceNumber > lowest)',
    to: '.filter(({ sequenceNumber }) => String(sequenceNumber) > String(lowest))',
  },
  {
    ...LEDGER,
    name: 'unprocessed events forgotten',
    from: 'for (let attempt = 0; pending?.length; attempt += 1) {',
    to: 'for (let attempt = 0; attempt < 1 && pending?.length; attempt += 1) {',
  },
];
