import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Runs a function whose calls to DynamoDB each wait until it is their turn. It may die before one of them. */
export function makeActor(
  client: DynamoDBDocumentClient,
  run: (gated: DynamoDBDocumentClient) => Promise<unknown>,
  diesAfter = Number.POSITIVE_INFINITY,
) {
  let calls = 0;
  let proceed: (() => void) | undefined;
  let arrived = Promise.withResolvers<void>();
  const send = async (...given: Parameters<DynamoDBDocumentClient['send']>) => {
    if (calls >= diesAfter) throw new Error('the function dies');
    calls += 1;
    await new Promise<void>((resolve) => {
      proceed = resolve;
      arrived.resolve();
    });
    return client.send(...given);
  };
  let isDone = false;
  const ended = run({ send } as unknown as DynamoDBDocumentClient)
    .catch(() => undefined)
    .finally(() => {
      isDone = true;
      arrived.resolve();
    });
  return {
    /** One call, up to the beginning of the next. */
    async step(): Promise<void> {
      await arrived.promise;
      if (isDone) return;
      arrived = Promise.withResolvers();
      proceed?.();
      await arrived.promise;
    },
    async finish(): Promise<void> {
      while (!isDone) await this.step();
      await ended;
    },
  };
}

export type Actor = ReturnType<typeof makeActor>;

/** All orders of so many steps of two. */
export function orders(first: number, second: number): string[] {
  if (first === 0 || second === 0) return ['w'.repeat(first) + 'r'.repeat(second)];
  return [
    ...orders(first - 1, second).map((rest) => `w${rest}`),
    ...orders(first, second - 1).map((rest) => `r${rest}`),
  ];
}
