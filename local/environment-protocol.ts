/** What a worker environment is told when it is made. */
export interface EnvironmentSettings {
  readonly codeFolder: string;
  readonly handler: string;
  readonly logFormat: 'JSON' | 'Text';
  /** The parts of Lambda's context object that are the same for each invocation. */
  readonly context: {
    readonly functionName: string;
    readonly functionVersion: string;
    readonly invokedFunctionArn: string;
    readonly memoryLimitInMB: string;
    readonly logGroupName: string;
    readonly logStreamName: string;
  };
}

export interface Invocation {
  readonly requestId: string;
  readonly traceId: string;
  /** As JSON, which is how it travels on Lambda: a function cannot reach into the gateway's objects. */
  readonly event: string;
  readonly deadline: number;
}

export type EnvironmentMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'returned'; readonly payload: string }
  | { readonly type: 'threw'; readonly errorType: string; readonly errorMessage: string };
