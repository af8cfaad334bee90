import { BACKGROUND_DEFECTS } from './background-defects.ts';
import type { Defect } from './plant.ts';

export const DEFECTS: readonly Defect[] = [
  {
    name: 'a delivery known by its body alone',
    file: '/lambdas/sources/judge-delivery.ts',
    place: '$delivery.deliveryId ?? $idInBody',
    instead: '$idInBody',
    scenarios: ['deliveries'],
  },
  {
    name: 'a delivery forgotten after a day',
    file: '/lambdas/submission/idempotency-key.ts',
    place: '$isDelivery ? LIMITS.deliverySeconds : LIMITS.idempotencySeconds',
    instead: 'LIMITS.idempotencySeconds',
    scenarios: ['key-after-a-day'],
  },
  {
    name: "a tool's key in the namespace of Surface 1a",
    file: '/lambdas/sources/judge-delivery.ts',
    place: "$sourceHash($workspaceId, 'key', $key)",
    instead: "createHash('sha256').update($workspaceId + '\\n' + $key.replace('.1c', '')).digest('hex')",
    scenarios: ['deliveries'],
  },
  {
    name: 'one marker for both surfaces',
    file: '/lambdas/submission/idempotency-key.ts',
    place: `\`denied\${$surface}\` as const`,
    instead: "'denied1a' as const",
    scenarios: ['one-surface-full'],
  },
  {
    name: 'no condition on expiry',
    file: '/lambdas/submission/leads-store.ts',
    place: "'attribute_not_exists(keyHash) OR expiresAt <= :now'",
    // DynamoDB rejects unused values, so the expression still names the time.
    instead: "'attribute_not_exists(keyHash) OR :now < :now'",
    scenarios: ['expired-record', 'key-after-a-day'],
  },
  {
    name: 'count after write',
    file: '/lambdas/submission/pipeline.ts',
    place: '$steps.use(passGate({ ...$dependencies, authenticator: $authenticator }))',
    instead: `$steps.use({
      after: async (request) => {
        const early = await passGate({ ...$dependencies, authenticator: $authenticator }).before?.(request);
        if (early) request.response = early;
      },
    })`,
    scenarios: ['minute-limit', 'day-limit'],
  },
  {
    name: 'cache trusted on rejection',
    file: '/lambdas/submission/authenticate.ts',
    place: `
      const { credential: $credential } = $scheme.judge($fresh ? $cached : $empty, $submission);
      return $credential;`,
    instead: `
      const verdict = $scheme.judge($fresh ? $cached : $empty, $submission);
      if ($fresh && !verdict.credential) {
        $submission.attribution = verdict.attribution;
        throw new Rejection(verdict.rejection.reason, verdict.rejection.detail);
      }
      return verdict.credential;`,
    scenarios: ['owner-rotates'],
  },
  {
    name: 'non-transactional pair',
    file: '/lambdas/submission/leads-store.ts',
    place: `
      await $client.send($command, { abortSignal: $signal });
      return { stored: true };`,
    // The record first, the safer order: the loser of a race then stores nothing.
    instead: `
      for (const part of $command.input.TransactItems?.toReversed() ?? []) {
        const alone = new TransactWriteItemsCommand({ TransactItems: [part] });
        await $client.send(alone, { abortSignal: $signal }).catch((error) => {
          if (!(error instanceof TransactionCanceledException)) throw error;
          const CancellationReasons = [{ Code: 'None' }, ...(error.CancellationReasons ?? [])];
          throw new TransactionCanceledException({ $metadata: {}, message: '', CancellationReasons });
        });
      }
      return { stored: true };`,
    scenarios: ['duplicates', 'retries'],
  },
  {
    name: 'replay before authentication',
    file: '/lambdas/submission/admit-submission.ts',
    place: `
      if ($workspace && $workspace.status !== 'active') throw new Rejection('workspace_suspended');
      $$authenticatesAgain;
      if ($isAccepted) {
        return $replay($submission, $record);
      }`,
    instead: `
      if ($isAccepted) {
        return $replay($submission, $record);
      }
      if ($workspace && $workspace.status !== 'active') throw new Rejection('workspace_suspended');
      $$authenticatesAgain;`,
    scenarios: ['owner-stops', 'owner-revokes', 'owner-rotates'],
  },
  {
    name: 'record read before version',
    file: '/lambdas/submission/authenticate.ts',
    place: 'await $scheme.source.readAgain($key, $found, $signal)',
    instead: '$found',
    scenarios: ['owner-stops', 'owner-revokes', 'owner-rotates'],
  },
  {
    name: 'a key per attempt of a page',
    file: '/lambdas/browser/judge-browser-request.ts',
    place: "['browser', $workspaceId, $formId, $nonce].join('\\n')",
    instead: "['browser', $workspaceId, $formId, $nonce, Math.random()].join('\\n')",
    scenarios: ['one-nonce'],
  },
  ...BACKGROUND_DEFECTS,
];
