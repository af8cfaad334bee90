import { type RunningStack, readRunningStack } from '../local/fixture/running-stack.ts';

export type LocalStack = RunningStack;

/** The stack that the test run has started. */
export function localStack(outputsFile = process.env.LEAD_INGEST_OUTPUTS): LocalStack {
  if (!outputsFile) throw new Error('LEAD_INGEST_OUTPUTS is not set: run the tests with npm test');
  return readRunningStack(outputsFile);
}
