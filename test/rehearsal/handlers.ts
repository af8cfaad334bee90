import { crc32 } from 'node:zlib';
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

/** A zip file without compression: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function zip(files: readonly (readonly [name: string, contents: Buffer])[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, contents] of files) {
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    // The version that is needed, names in UTF-8, the first day that a zip file knows.
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(contents), 10);
    common.writeUInt32LE(contents.length, 14);
    common.writeUInt32LE(contents.length, 18);
    common.writeUInt16LE(path.length, 22);
    locals.push(Buffer.from('PK\x03\x04'), common, path, contents);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, place, path);
    offset += 4 + common.length + path.length + contents.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]);
}
