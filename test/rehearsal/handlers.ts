import type { Provider } from './custom-resources.ts';
import { HandlerProcess } from './handler-process.ts';
import type { StandIn } from './stand-in/server.ts';

export interface CustomResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly RequestId: string;
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly ResourceType: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: object;
  readonly OldResourceProperties?: object;
}

/** What CloudFormation makes of a handler's response. */
export interface Outcome {
  readonly succeeded: boolean;
  readonly physicalId: string;
  /** Why it failed. */
  readonly reason: string;
  /** The end of what the handler wrote. */
  readonly log: string;
}

/** CloudFormation takes no longer one. */
const LARGEST_RESPONSE_BYTES = 4096;

/** Runs the handlers of custom resources. As on Lambda, a process is used again for the next event. */
export class Handlers {
  readonly #standIn: StandIn;
  readonly #processes = new Map<string, HandlerProcess>();

  constructor(standIn: StandIn) {
    this.#standIn = standIn;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((process) => process.close()));
  }

  async invoke(provider: Provider, event: CustomResourceEvent): Promise<Outcome> {
    const ResponseURL = this.#standIn.responseUrl(event.RequestId);
    const log = await this.#processFor(provider).handle({ ...event, ResponseURL });
    const outcome = readResponse(event, this.#standIn.takeResponse(event.RequestId));
    return { ...outcome, log: log.slice(-2_000) };
  }

  #processFor(provider: Provider): HandlerProcess {
    const { folder, handler, runtime, environment } = provider;
    const key = JSON.stringify([folder, handler, runtime, environment]);
    const known = this.#processes.get(key);
    if (known?.isRunning) return known;
    const started = new HandlerProcess(this.#standIn.url, provider);
    this.#processes.set(key, started);
    return started;
  }
}

function readResponse(event: CustomResourceEvent, body: Buffer | undefined): Omit<Outcome, 'log'> {
  const failed = (reason: string, physicalId = event.PhysicalResourceId ?? 'rehearsal') => ({
    succeeded: false,
    physicalId,
    reason,
  });
  if (body === undefined) return failed('no response to CloudFormation');
  if (body.length > LARGEST_RESPONSE_BYTES) return failed(`a response of ${body.length} bytes`);
  const response = JSON.parse(body.toString());
  for (const key of ['RequestId', 'StackId', 'LogicalResourceId'] as const) {
    if (response[key] !== event[key]) return failed(`the response has another ${key}`);
  }
  const physicalId = response.PhysicalResourceId;
  if (typeof physicalId !== 'string') return failed('a response without a physical id');
  if (response.Status !== 'SUCCESS') return failed(`${response.Status}: ${response.Reason}`, physicalId);
  return { succeeded: true, physicalId, reason: '' };
}
