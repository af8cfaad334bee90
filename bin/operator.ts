// What every command of an operator needs, whether leadctl or the conformance run: the outputs file, the stack behind
// it, and failures in plain words.
export { explain } from './leadctl/explain.ts';
export { Failure, UsageFailure } from './leadctl/failure.ts';
export { makeInterruption } from './leadctl/interruption.ts';
export { LOCAL_CREDENTIALS, type OpenStack, openStack, PATIENCE } from './leadctl/open-stack.ts';
export { printable } from './leadctl/print.ts';
export { makeProgressBar } from './leadctl/progress-bar.ts';
export { shellWord } from './leadctl/session.ts';
export { placeOf, type StackOutputs } from './leadctl/stack-outputs.ts';
