/** A plausible bug: the source text, and its replacement. */
export interface Defect {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The scenarios that detect it. */
  readonly scenarios: readonly string[];
}

/** The source with the defect. The replaced text must occur exactly once, or the defect is out of date. */
export function patched({ name, file, from, to }: Defect, source: string): string {
  if (source.split(from).length !== 2) throw new Error(`The defect "${name}" no longer fits ${file}`);
  return source.replace(from, () => to);
}

const RECORDER = { file: '/lambdas/rejections/recorder-store.ts', scenarios: ['recorder'] };

/** Plausible bugs in the recorder, for example expecting a retried batch to be unchanged. */
export const RECORDER_DEFECTS: readonly Defect[] = [
  {
    ...RECORDER,
    name: 'a mark per batch instead of a watermark',
    from: `let mark = marks.get(markName) ?? (await readMark(shard, signal));
    const newOnes = () => above(mark, rejections);`,
    to: `shard = { ...shard, shardId: \`\${shard.shardId}/\${rejections[0]?.sequenceNumber}\` };
    let mark = await readMark(shard, signal);
    const newOnes = () => (mark === undefined ? above(mark, rejections) : []);`,
  },
  {
    ...RECORDER,
    name: 'watermark moved after the counters, in a separate call',
    from: 'await client.send(enterCommand(tables.diagnostics, moved, counters), { abortSignal: signal });',
    to: `const [move, ...raises] = enterCommand(tables.diagnostics, moved, counters).input.TransactItems ?? [];
        for (const TransactItems of [raises, move ? [move] : []]) {
          await client.send(new TransactWriteCommand({ TransactItems }), { abortSignal: signal });
        }`,
  },
  {
    ...RECORDER,
    name: 'no condition on the watermark',
    from: "move.from === undefined ? 'attribute_not_exists(sk)' : 'sequenceNumber = :from',",
    // DynamoDB rejects unused values, so the expression still names the old number.
    to: "move.from === undefined ? 'attribute_not_exists(nothing)' : ':from = :from OR sequenceNumber = :from',",
  },
  {
    ...RECORDER,
    name: 'counters not cut at a prefix',
    from: 'if (counters.size + added > MAX_COUNTERS) break;',
    to: 'if (counters.size + added > MAX_COUNTERS) continue;',
  },
  {
    ...RECORDER,
    name: 'watermark moved to the end of the batch',
    from: 'const next = String(prefix.at(-1)?.sequenceNumber);',
    to: 'const next = String(newOnes().at(-1)?.sequenceNumber);',
  },
  {
    ...RECORDER,
    name: 'one watermark for all shards of a stream',
    from: `workspaceId: \`watermark#\${shardId}\``,
    to: `workspaceId: \`watermark#\${shardId && 'all'}\``,
  },
  {
    ...RECORDER,
    name: 'sequence numbers compared as text',
    from: '.filter(({ sequenceNumber }) => sequenceNumber > lowest)',
    to: '.filter(({ sequenceNumber }) => String(sequenceNumber) > String(lowest))',
  },
  {
    ...RECORDER,
    name: 'an event that does not recognize itself when it is delivered again',
    from: 'return idOf(unmarshall(error.Item));',
    to: "return 'another';",
  },
  {
    ...RECORDER,
    name: 'events written over those of another shard',
    from: `      ConditionExpression: 'attribute_not_exists(sk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',`,
    to: '',
  },
];

const ENRICHMENT = {
  file: '/lambdas/enrichment/enrichments-store.ts',
  scenarios: ['erase-while-enriching'],
};

const ENRICHMENT_DEFECTS: readonly Defect[] = [
  {
    ...ENRICHMENT,
    name: 'enrichment: no second look',
    from: "if (!(await lookAgain(enrichment, lead, signal))) return 'gone';",
    to: '',
  },
  {
    ...ENRICHMENT,
    name: 'enrichment: nothing removed by the receive after a death',
    file: '/lambdas/enrichment/enrich/enrich-lead.ts',
    from: 'if (enrichment) await enrichments.remove(leadId, signals.whole);',
    to: '',
  },
];

const STATS = { file: '/lambdas/stats/stats-store.ts', scenarios: ['after-the-202'] };

/** The same bugs in counting leads. */
const STATS_DEFECTS: readonly Defect[] = [
  {
    ...STATS,
    name: 'leads: a counter per batch, which is written once',
    from: 'const counters = hourCounters(unmarked, shardName(shard));',
    to: `const batch = \`\${shard.shardId}/\${leads[0]?.sequence}\`;
      const counters = hourCounters(unmarked, shardName({ ...shard, shardId: batch }));`,
  },
  {
    ...STATS,
    name: 'leads: no condition on the sequence number',
    from: "seen === undefined ? 'attribute_not_exists(seq) OR seq < :first' : 'seq = :seen'",
    // DynamoDB rejects unused values, so the expression still names them.
    to: "seen === undefined ? 'attribute_not_exists(nothing) OR seq < :first' : ':seen = :seen'",
  },
  {
    ...STATS,
    name: 'leads: all of a batch counted when only some are new',
    from: 'counter.leads.filter(({ sequence }) => seen === undefined || sequence > seen)',
    to: "counter.leads.filter((_, __, all) => seen === undefined || (all.at(-1)?.sequence ?? '') > seen)",
  },
  {
    ...STATS,
    name: 'leads: one sequence number for all shards of a stream',
    file: '/lambdas/stats/stats-items.ts',
    from: `createHash('sha256').update(\`\${streamArn}/\${shardId}\`)`,
    to: `createHash('sha256').update(\`\${streamArn}/\${shardId && 'all'}\`)`,
  },
  {
    ...STATS,
    name: 'leads: sequence numbers compared as text of any length',
    file: '/lambdas/stats/stats-items.ts',
    from: "record.dynamodb?.SequenceNumber?.padStart(SEQUENCE_DIGITS, '0')",
    to: 'record.dynamodb?.SequenceNumber',
  },
];

export const DEFECTS: readonly Defect[] = [
  {
    name: 'one marker for both surfaces',
    file: '/lambdas/submission/idempotency-key.ts',
    from: 'const markerName = (surface: AnySurface) =>',
    to: "const markerName = (_: AnySurface, surface = '1a' as const) =>",
    scenarios: ['one-surface-full'],
  },
  {
    name: 'no condition on expiry',
    file: '/lambdas/submission/leads-store.ts',
    from: "'attribute_not_exists(keyHash) OR expiresAt <= :now'",
    // DynamoDB rejects unused values, so the expression still names the time.
    to: "'attribute_not_exists(keyHash) OR :now < :now'",
    scenarios: ['expired-record', 'key-after-a-day'],
  },
  {
    name: 'count after write',
    file: '/lambdas/submission/pipeline.ts',
    from: '.use(passGate({ ...dependencies, authenticator }))',
    to: `.use({
      after: async (request) => {
        const early = await passGate({ ...dependencies, authenticator }).before(request);
        if (early) request.response = early;
      },
    })`,
    scenarios: ['minute-limit', 'day-limit'],
  },
  {
    name: 'cache trusted on rejection',
    file: '/lambdas/submission/authenticate.ts',
    from: '    return credential;\n  }\n\n  async function fromTables',
    to: '    if (fresh && !credential) requireCredential(cached.configuration, submission);\n    return credential;\n  }\n\n  async function fromTables',
    scenarios: ['owner-rotates'],
  },
  {
    name: 'non-transactional pair',
    file: '/lambdas/submission/leads-store.ts',
    from: 'await client.send(command, { abortSignal: signal });',
    // The record first, the safer order: the loser of a race then stores nothing.
    to: `for (const { Put } of command.input.TransactItems?.toReversed() ?? []) {
          await client.send(new PutCommand(Put), { abortSignal: signal }).catch((error) => {
            if (!(error instanceof ConditionalCheckFailedException)) throw error;
            const CancellationReasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: error.Item }];
            throw new TransactionCanceledException({ $metadata: {}, message: '', CancellationReasons });
          });
        }`,
    scenarios: ['duplicates', 'retries'],
  },
  {
    name: 'replay before authentication',
    file: '/lambdas/submission/admit-submission.ts',
    from: '// The gate would catch a change, but a replay does not pass the gate.',
    to: `if (record?.kind === 'accepted' && isLive(record, submission.receivedAtMilliseconds)) {
        return replay(submission, record);
      }`,
    scenarios: ['owner-stops', 'owner-revokes', 'owner-rotates'],
  },
  {
    name: 'record read before version',
    file: '/lambdas/submission/authenticate.ts',
    from: 'await scheme.source.readAgain(key, found, submission.signal)',
    to: 'found',
    scenarios: ['owner-stops', 'owner-revokes', 'owner-rotates'],
  },
  {
    name: 'a key per attempt of a page',
    file: '/lambdas/browser/judge-browser-request.ts',
    from: "['browser', workspaceId, form.formId, nonce].join('\\n')",
    to: "['browser', workspaceId, form.formId, nonce, Math.random()].join('\\n')",
    scenarios: ['one-nonce'],
  },
  ...RECORDER_DEFECTS,
  ...STATS_DEFECTS,
  ...ENRICHMENT_DEFECTS,
];
