import type { Defect } from './plant.ts';

const RECORDER = { file: '/lambdas/rejections/recorder-store.ts', scenarios: ['recorder'] };

/** Plausible bugs in the recorder, for example expecting a retried batch to be unchanged. */
const RECORDER_DEFECTS: readonly Defect[] = [
  {
    ...RECORDER,
    name: 'a mark per batch instead of a watermark',
    place: `
      let $mark = $marks.get($name) ?? (await $readMark($shard, $signal));
      const $newOnes = () => $above($mark, $rejections);`,
    instead: `
      $shard = { ...$shard, shardId: [$shard.shardId, $rejections[0]?.sequenceNumber].join('/') };
      let $mark = await $readMark($shard, $signal);
      const $newOnes = () => ($mark === undefined ? $above($mark, $rejections) : []);`,
  },
  {
    ...RECORDER,
    name: 'watermark moved after the counters, in a separate call',
    place:
      'await $client.send($enterCommand($tables.diagnostics, $moved, $counters), { abortSignal: $signal });',
    instead: `
      const [move, ...raises] = $enterCommand($tables.diagnostics, $moved, $counters).input.TransactItems ?? [];
      for (const TransactItems of [raises, move ? [move] : []]) {
        await $client.send(new TransactWriteCommand({ TransactItems }), { abortSignal: $signal });
      }`,
  },
  {
    ...RECORDER,
    name: 'no condition on the watermark',
    place: "$move.from === undefined ? 'attribute_not_exists(sk)' : 'sequenceNumber = :from'",
    // DynamoDB rejects unused values, so the expression still names the old number.
    instead:
      "$move.from === undefined ? 'attribute_not_exists(nothing)' : ':from = :from OR sequenceNumber = :from'",
  },
  {
    ...RECORDER,
    name: 'counters not cut at a prefix',
    place: 'if ($counters.size + $added > $most) break;',
    instead: 'if ($counters.size + $added > $most) continue;',
  },
  {
    ...RECORDER,
    name: 'watermark moved to the end of the batch',
    place: `
      const { prefix: $prefix, counters: $counters } = $takePrefix($newOnes(), $lane);
      const $next = String($prefix.at(-1)?.sequenceNumber);`,
    instead: `
      const { prefix: $prefix, counters: $counters } = $takePrefix($newOnes(), $lane);
      const $next = String($newOnes().at(-1)?.sequenceNumber);`,
  },
  {
    ...RECORDER,
    name: 'one watermark for all shards of a stream',
    place: `({ workspaceId: \`watermark#\${$shardId}\`, sk: $streamArn })`,
    instead: "{ workspaceId: 'watermark#all', sk: $streamArn }",
  },
  {
    ...RECORDER,
    name: 'sequence numbers compared as text',
    place: '$rejections.filter(({ sequenceNumber: $number }) => $number > $lowest)',
    instead: '$rejections.filter(({ sequenceNumber: $number }) => String($number) > String($lowest))',
  },
  {
    ...RECORDER,
    name: 'an event that does not recognize itself when it is delivered again',
    place: '$idOf(unmarshall($error.Item))',
    instead: "'another'",
  },
  {
    ...RECORDER,
    name: 'events written over those of another shard',
    place: `new PutCommand({
      TableName: $table,
      Item: $item,
      ConditionExpression: 'attribute_not_exists(sk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })`,
    instead: 'new PutCommand({ TableName: $table, Item: $item })',
  },
];

const ENRICHMENT_DEFECTS: readonly Defect[] = [
  {
    name: 'enrichment: no second look',
    file: '/lambdas/enrichment/enrichments-store.ts',
    place: "if (!(await $lookAgain($enrichment, $lead, $signal))) return 'gone';",
    instead: '',
    scenarios: ['erase-while-enriching'],
  },
  {
    name: 'enrichment: nothing removed by the receive after a death',
    file: '/lambdas/enrichment/enrich/enrich-lead.ts',
    place: 'if ($enrichment) await $enrichments.remove($leadId, $signal);',
    instead: '',
    scenarios: ['erase-while-enriching'],
    // The function must die between two calls, and its lead must be erased right before them. That is
    // rare: schedules with lower seeds do not find it.
    firstSeed: 1_440,
    seeds: 3_000,
  },
];

const STATS = { file: '/lambdas/stats/stats-store.ts', scenarios: ['after-the-202'] };
const STATS_ITEMS = { ...STATS, file: '/lambdas/stats/stats-items.ts' };

/** The same bugs in counting leads. */
const STATS_DEFECTS: readonly Defect[] = [
  {
    ...STATS,
    name: 'leads: a counter per batch, which is written once',
    place: 'hourCounters($leads, shardName($shard))',
    instead: `hourCounters(
      $leads,
      shardName({ ...$shard, shardId: [$shard.shardId, $leads[0]?.sequence].join('/') }),
    )`,
  },
  {
    ...STATS,
    name: 'leads: no condition on the sequence number',
    place: "$seen === undefined ? 'attribute_not_exists(seq) OR seq < :first' : 'seq = :seen'",
    // DynamoDB rejects unused values, so the expression still names them.
    instead: "$seen === undefined ? 'attribute_not_exists(nothing) OR seq < :first' : ':seen = :seen'",
  },
  {
    ...STATS,
    name: 'leads: all of a batch counted when only some are new',
    place: '$leads.filter(({ sequence: $sequence }) => $seen === undefined || $sequence > $seen)',
    instead: "$leads.filter((_, __, all) => $seen === undefined || (all.at(-1)?.sequence ?? '') > $seen)",
  },
  {
    ...STATS_ITEMS,
    name: 'leads: one sequence number for all shards of a stream',
    place: `createHash('sha256').update(\`\${$streamArn}/\${$shardId}\`)`,
    instead: "createHash('sha256').update($streamArn)",
  },
  {
    ...STATS_ITEMS,
    name: 'leads: sequence numbers compared as text of any length',
    place: "$number?.padStart($digits, '0')",
    instead: '$number',
  },
];

const INDEX = { file: '/lambdas/leads/search/lead-index-store.ts', scenarios: ['erase-while-enriching'] };
const INDEX_LEADS = { ...INDEX, file: '/lambdas/leads/search/index-leads/handler.ts' };

const INDEX_DEFECTS: readonly Defect[] = [
  {
    ...INDEX,
    name: 'index: removed without a tombstone',
    place: `
      await removeFormerEntries({ client: $client, tables: $tables }, $workspaceId, $former, $signal);
      $$before;
      for (let $attempt = 1; !isTombstone($there); $attempt += 1) {
        $$pauses;
        const $tombstone = toTombstone($address, $keys, $now);
        const $instead = await $putUnless($tombstone, $condition, $signal);
        $there = $instead ?? $tombstone;
      }`,
    instead: `
      await removeFormerEntries({ client: $client, tables: $tables }, $workspaceId, $former, $signal);
      $$before;
      const entry = { TableName: $tables.leadIndex, Key: listKey($address) };
      await retryThrottled(() => $client.send(new DeleteCommand(entry), { abortSignal: $signal }), $signal);
      if (!isTombstone($there)) $there = toTombstone($address, $keys, $now);`,
  },
  {
    ...INDEX,
    name: 'index: people written before the list entry',
    place: `
      await $noteMonth($address, $signal);
      $$listEntry;
      await $together.ask('people', $people, $writePeople);`,
    instead: `
      await $noteMonth($address, $signal);
      await $together.ask('people', $people, $writePeople);
      $$listEntry;`,
  },
  {
    ...INDEX_LEADS,
    name: 'index: no second look',
    place: 'if ($now && $stateOf($now) === $stateOf($lead)) return;',
    instead: 'return;',
  },
  {
    ...INDEX,
    name: 'index: nothing removed by a message that finds a tombstone',
    place: 'let $there: LeadItem | undefined = $item ?? {};',
    instead: `
      let $there: LeadItem | undefined = $item ?? {};
      if (isTombstone($there)) return;`,
  },
  {
    name: 'erasure: complete without a look at the backlog',
    file: '/lambdas/leads/people/erase-person.ts',
    place: '(await $context.backlog.before($request, $signal)) ?? $isOutdated',
    instead: '$isOutdated',
    scenarios: ['erasure'],
  },
];

const OFFBOARDING = { scenarios: ['offboarding'] };

const OFFBOARDING_DEFECTS: readonly Defect[] = [
  {
    ...OFFBOARDING,
    name: 'offboarding: statistics of a workspace that is gone',
    file: '/lambdas/stats/handler.ts',
    place: '$read.filter(({ workspaceId: $workspaceId }) => !$removed.has($workspaceId))',
    instead: '$read',
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: no sweep after the wait',
    file: '/lambdas/operator/offboarding-store.ts',
    place: "if (!(await $removeUntilNothingIsLeft($sweep.removeEveryTrace))) return 'left';",
    instead: '',
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: tombstones in a workspace that is gone',
    file: INDEX_LEADS.file,
    place: '(await $workspaces.removed([$address.workspaceId], $signal)).size > 0',
    instead: 'false',
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: a month deleted with one of its leads',
    file: INDEX.file,
    place: 'await $writeAll([{ DeleteRequest: { Key: listKey($address) } }], $signal);',
    instead: `
      const month = { bucket: monthsBucket($address.workspaceId), leadId: monthOf($address.leadId) };
      const rest = [listKey($address), month];
      await $writeAll(rest.map((Key) => ({ DeleteRequest: { Key } })), $signal);`,
  },
  {
    ...OFFBOARDING,
    name: 'offboarding: search entries deleted by every sweep',
    file: '/lambdas/operator/offboard-contents-store.ts',
    place: `
      $note('leads', await removeReviewedLeads($context, $workspaceId, $signal));
      for (const $form of $forms) await $leadsOf($form, $note);`,
    instead: `
      $note('leads', await removeReviewedLeads($context, $workspaceId, $signal));
      for (const $form of $forms) await $leadsOf($form, $note);
      for await (const count of removeFromIndex($context, $workspaceId, $signal)) $note('searchEntries', count);`,
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
