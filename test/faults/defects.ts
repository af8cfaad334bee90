import { BACKGROUND_DEFECTS } from './background-defects.ts';

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

export const DEFECTS: readonly Defect[] = [
  {
    name: 'a delivery known by its body alone',
    file: '/lambdas/sources/judge-delivery.ts',
    from: 'const id = delivery.deliveryId ?? (',
    to: 'const id = undefined ?? (',
    scenarios: ['deliveries'],
  },
  {
    name: 'a delivery forgotten after a day',
    file: '/lambdas/submission/idempotency-key.ts',
    from: 'isDelivery ? LIMITS.deliverySeconds : LIMITS.idempotencySeconds',
    to: 'LIMITS.idempotencySeconds',
    scenarios: ['key-after-a-day'],
  },
  {
    name: "a tool's key in the namespace of Surface 1a",
    file: '/lambdas/sources/judge-delivery.ts',
    from: "return { hash: sourceHash(workspaceId, 'key', key) };",
    to: "return { hash: createHash('sha256').update(workspaceId + '\\n' + key.replace('.1c', '')).digest('hex') };",
    scenarios: ['deliveries'],
  },
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
  ...BACKGROUND_DEFECTS,
];
