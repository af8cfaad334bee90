import type { Defect } from './defects.ts';

const RECORDER = { file: '/lambdas/rejections/recorder-store.ts', scenarios: ['recorder'] };

/** Plausible bugs in the recorder, for example expecting a retried batch to be unchanged. */
const RECORDER_DEFECTS: readonly Defect[] = [
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

const INDEX = { file: '/lambdas/leads/search/lead-index-store.ts', scenarios: ['erase-while-enriching'] };
const INDEX_LEADS = { ...INDEX, file: '/lambdas/leads/search/index-leads/handler.ts' };

const INDEX_DEFECTS: readonly Defect[] = [
  {
    ...INDEX,
    name: 'index: removed without a tombstone',
    from: 'const instead = await putUnless(tombstone, unchangedSince(there), signal);',
    to: `await writeAll([{ DeleteRequest: { Key: listKey(address) } }], signal);
      const instead = undefined;`,
  },
  {
    ...INDEX,
    name: 'index: people written before the list entry',
    from: 'await noteMonth(address, signal);\n    let stale',
    to: `await noteMonth(address, signal);
    await writeAll(people.map((Item) => ({ PutRequest: { Item } })), signal);
    people = [];
    let stale`,
  },
  {
    ...INDEX_LEADS,
    name: 'index: no second look',
    from: 'if (now && stateOf(now) === stateOf(lead)) return;',
    to: 'return;',
  },
  {
    ...INDEX,
    name: 'index: nothing removed by a message that finds a tombstone',
    from: 'let there: LeadItem | undefined = Item ?? {};',
    to: `let there: LeadItem | undefined = Item ?? {};
    if (isTombstone(there)) return;`,
  },
  {
    ...INDEX,
    scenarios: ['erasure'],
    name: 'erasure: complete without a look at the backlog',
    file: '/lambdas/leads/people/erase-person.ts',
    from: '(await context.backlog.before(request, signal)) ??',
    to: '',
  },
];

const OFFBOARDING = { file: '/lambdas/operator/offboarding-store.ts', scenarios: ['offboarding'] };

const OFFBOARDING_DEFECTS: readonly Defect[] = [
  {
    ...OFFBOARDING,
    name: 'offboarding: statistics of a workspace that is gone',
    file: '/lambdas/stats/handler.ts',
    from: 'read.filter(({ workspaceId }) => !removed.has(workspaceId))',
    to: 'read.filter(() => removed)',
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: no sweep after the wait',
    from: "if (!(await removeUntilNothingIsLeft(sweep.removeEveryTrace))) return 'left';",
    to: '',
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: tombstones in a workspace that is gone',
    file: INDEX_LEADS.file,
    from: '(await workspaces.removed([address.workspaceId], signal)).size > 0',
    to: 'false',
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: a month deleted with one of its leads',
    file: INDEX.file,
    from: 'await writeAll([{ DeleteRequest: { Key: listKey(address) } }], signal);',
    to: `const month = { bucket: monthsBucket(address.workspaceId), leadId: monthOf(address.leadId) };
    const rest = [listKey(address), month];
    await writeAll(rest.map((Key) => ({ DeleteRequest: { Key } })), signal);`,
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: search entries deleted by every sweep',
    file: '/lambdas/operator/offboard-contents-store.ts',
    from: 'for (const form of forms) await leadsOf(form, note);',
    to: 'for (const form of forms) await leadsOf(form, note);\n    await searchEntries(note);',
  },
];

/** Bugs in what happens to leads and rejections after the response. */
export const BACKGROUND_DEFECTS: readonly Defect[] = [
  ...RECORDER_DEFECTS,
  ...STATS_DEFECTS,
  ...ENRICHMENT_DEFECTS,
  ...INDEX_DEFECTS,
  ...OFFBOARDING_DEFECTS,
];
