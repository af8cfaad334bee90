import { randomBytes, randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionLog } from './function-log.ts';
import type { FunctionDefinition } from './functions.ts';
import { makeRest } from './rest.js';

/** The settings that a worker gets when it is created. */
export interface EnvironmentSettings {
  readonly codeFolder: string;
  readonly handler: string;
  readonly logFormat: 'JSON' | 'Text';
  /** The parts of Lambda's context object that don't change between invocations. */
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
  /** As JSON, as on Lambda: a function can't change the gateway's objects. */
  readonly event: string;
  readonly deadline: number;
}

export type EnvironmentMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'returned'; readonly payload: string }
  | { readonly type: 'threw'; readonly errorType: string; readonly errorMessage: string };

/** An invocation that ended without a result. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError';
}

export interface FunctionSettings {
  readonly definition: FunctionDefinition;
  /** The whole environment of the function, Lambda's own variables included. */
  readonly variables: Readonly<Record<string, string>>;
  readonly log: FunctionLog;
}

const INIT_TIMEOUT_MILLISECONDS = 10_000;
/** Without a limit, garbage piles up in every thread. V8's option --max-semi-space-size, which npm start has, comes first. */
const YOUNG_GENERATION_MEGABYTES = 6;
const RESPONSE_LIMIT_BYTES = 6_291_556;

/** All environments wait for this thread, so that it is never interrupted. */
const rest = makeRest(Number.POSITIVE_INFINITY);

/** One worker thread with the function loaded. A crash or timeout ends it, and the pool starts another. */
export class Environment {
  readonly ready: Promise<void>;
  alive = true;
  readonly #worker: Worker;
  readonly #settings: FunctionSettings;
  #settle: ((outcome: EnvironmentMessage | InvocationError) => void) | undefined;

  constructor(settings: FunctionSettings) {
    this.#settings = settings;
    const { definition, variables, log } = settings;
    const workerData = environmentSettings(definition);
    this.#worker = new Worker(new URL('./function-environment.js', import.meta.url), {
      workerData,
      env: { ...variables, AWS_LAMBDA_LOG_STREAM_NAME: workerData.context.logStreamName },
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: definition.memoryMegabytes,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES,
      },
    });
    log.follow(this.#worker.stdout);
    log.follow(this.#worker.stderr);
    this.#worker.on('message', (message: EnvironmentMessage) => this.#settle?.(message));
    this.#worker.on('error', (error) => this.#die(`crashed: ${error.stack ?? error}`));
    this.#worker.on('exit', (code) => this.#die(`exited with code ${code}`));
    this.ready = this.#await(INIT_TIMEOUT_MILLISECONDS, 'init').then(() => undefined);
  }

  async invoke(event: string): Promise<string> {
    const { definition, log } = this.#settings;
    const timeoutMilliseconds = definition.timeoutSeconds * 1000;
    const startedAt = performance.now();
    const invocation: Invocation = {
      requestId: randomUUID(),
      traceId: `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')};Sampled=0`,
      event,
      deadline: Date.now() + timeoutMilliseconds,
    };
    this.#worker.postMessage(invocation);
    try {
      const message = await this.#await(timeoutMilliseconds, 'task');
      if (message.type === 'threw')
        throw new InvocationError(`${message.errorType}: ${message.errorMessage}`);
      const payload = message.type === 'returned' ? message.payload : '';
      if (Buffer.byteLength(payload) > RESPONSE_LIMIT_BYTES) {
        throw new InvocationError('Function.ResponseSizeTooLarge: the result exceeds 6 MB');
      }
      return payload;
    } finally {
      rest();
      const milliseconds = (performance.now() - startedAt).toFixed(2);
      log.write(`REPORT RequestId: ${invocation.requestId}\tDuration: ${milliseconds} ms`);
    }
  }

  async end(): Promise<void> {
    this.alive = false;
    this.#settle?.(new InvocationError('the function is shut down'));
    await this.#worker.terminate();
  }

  /** The next message. Rejects if the environment dies or takes too long. */
  #await(milliseconds: number, what: 'init' | 'task'): Promise<EnvironmentMessage> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#die(`${what} timed out after ${(milliseconds / 1000).toFixed(2)} seconds`),
        milliseconds,
      );
      this.#settle = (outcome) => {
        clearTimeout(timer);
        this.#settle = undefined;
        if (outcome instanceof InvocationError) reject(outcome);
        else resolve(outcome);
      };
    });
  }

  #die(cause: string): void {
    if (!this.alive) return;
    this.alive = false;
    this.#settings.log.write(`${new Date().toISOString()}\t-\tERROR\tThe environment ${cause}`);
    this.#settle?.(new InvocationError(`the environment ${cause.split('\n', 1)[0]}`));
    void this.#worker.terminate();
  }
}

function environmentSettings(definition: FunctionDefinition): EnvironmentSettings {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  return {
    codeFolder: definition.codeFolder,
    handler: definition.handler,
    logFormat: definition.logFormat,
    context: {
      functionName: definition.name,
      functionVersion: '$LATEST',
      invokedFunctionArn: definition.arn,
      memoryLimitInMB: String(definition.memoryMegabytes),
      logGroupName: definition.logGroup,
      logStreamName: `${day}/[$LATEST]${randomBytes(16).toString('hex')}`,
    },
  };
}
