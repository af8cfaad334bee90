import type { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { METRICS } from '../contract.ts';
import type { Watch } from './short-path.ts';
import { metricsEnvelope, toStdout, type WriteLine } from './telemetry.ts';

/** Takes the name of an error, or the code of a reason for which a transaction was canceled. */
export function isThrottled(nameOrCode: string): boolean {
  return /^(Throttling|ProvisionedThroughput|RequestLimit)E/.test(nameOrCode);
}

/** A part of a transaction, by what it does. */
type Part = Readonly<Record<string, { readonly TableName: unknown }>>;

interface Call {
  readonly TableName?: string;
  readonly RequestItems?: object;
  readonly TransactItems?: readonly Part[];
}

interface PartlyDone {
  readonly UnprocessedKeys?: object;
  readonly UnprocessedItems?: object;
}

/**
 * Writes a line for each attempt that DynamoDB throttled, also for those that the SDK repeats: a metric, and the names of
 * the tables. An index that is throttled throttles the writes of its table, so this counts it too. Returns what to call
 * for attempts that do not pass the client's middleware.
 */
export function countThrottles({ middlewareStack }: DynamoDBClient, write: WriteLine = toStdout): Watch {
  const report = (tables: readonly unknown[]) => {
    if (tables.length === 0) return;
    const _aws = metricsEnvelope(Date.now(), { names: [METRICS.tableThrottles], dimensions: [] });
    const line = { level: 'WARN', code: 'dynamodb.throttled', tables: tables.join() };
    write(JSON.stringify({ ...line, [METRICS.tableThrottles]: 1, _aws }));
  };
  const failed: Watch['failed'] = (input, error) => {
    const { name, CancellationReasons = [] } = error as TransactionCanceledException;
    const { TableName, RequestItems = {}, TransactItems } = input as Call;
    const parts = TransactItems ?? [{ it: { TableName: TableName ?? Object.keys(RequestItems) } }];
    report(
      parts.flatMap((part, index) =>
        isThrottled(CancellationReasons[index]?.Code ?? name)
          ? Object.values(part).map((it) => it.TableName)
          : [],
      ),
    );
  };
  const batchSucceeded: Watch['batchSucceeded'] = (output) => {
    // A batch succeeds without what was throttled.
    const { UnprocessedKeys, UnprocessedItems } = output as PartlyDone;
    report(Object.keys(UnprocessedKeys ?? UnprocessedItems ?? {}));
  };
  middlewareStack.add(
    (next) => async (args) => {
      try {
        const result = await next(args);
        batchSucceeded(result.output);
        return result;
      } catch (error) {
        failed(args.input, error);
        throw error;
      }
    },
    // Within the SDK's retries, and around its parser of responses.
    { step: 'deserialize', priority: 'high' },
  );
  return { batchSucceeded, failed };
}
