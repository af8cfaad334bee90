import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { makeSocketPool } from '../aws/socket-pool.ts';

/** Runs a function and returns what it has returned, as JSON; undefined if Lambda has no room for it. */
export type InvokeFunction = (name: string, event: string) => Promise<string | undefined>;

/** No function runs longer. */
const TIMEOUT_MS = 45_000;

export function makeInvokeFunction(): InvokeFunction {
  // One attempt: a second one would run the function twice.
  const client = new LambdaClient({ maxAttempts: 1, requestHandler: makeSocketPool()(TIMEOUT_MS) });
  return async (FunctionName, event) => {
    try {
      const { FunctionError, Payload } = await client.send(
        new InvokeCommand({ FunctionName, Payload: Buffer.from(event) }),
      );
      if (FunctionError !== undefined) throw new Error('the function has failed');
      return Buffer.from(Payload ?? []).toString();
    } catch (error) {
      if (error instanceof TooManyRequestsException) return undefined;
      throw error;
    }
  };
}
