import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCAL_REGION } from '../../local/local-account.ts';
import type { Provider } from './custom-resources.ts';
import type { StandIn } from './stand-in/server.ts';

const pathOf = (file: string) => fileURLToPath(new URL(`./run/${file}`, import.meta.url));
/** Only keeps it from hanging. */
const PATIENCE_MILLISECONDS = 60_000;

/** A handler in a process of its own. It takes events as lines, and says with a line that it is done with one. */
class HandlerProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rehearsal-handler-'));
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #output: Buffer[] = [];

  constructor(standInUrl: string, provider: Provider) {
    this.#child = spawn(...programOf(provider), {
      cwd: this.#folder,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      // None of this machine's own settings: neither its credentials nor its profile.
      env: {
        ...provider.environment,
        PATH: process.env.PATH,
        HOME: this.#folder,
        TMPDIR: this.#folder,
        PYTHONDONTWRITEBYTECODE: '1',
        AWS_REGION: LOCAL_REGION,
        AWS_DEFAULT_REGION: LOCAL_REGION,
        AWS_ACCESS_KEY_ID: 'rehearsal',
        AWS_SECRET_ACCESS_KEY: 'rehearsal',
        STAND_IN_URL: standInUrl,
        STAND_IN_AWS_COMMAND: JSON.stringify([process.execPath, pathOf('aws-command.ts')]),
      },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.#output.push(chunk));
    }
    // One that has ended already says so below.
    this.#child.stdin?.on('error', () => undefined);
    this.#closed = once(this.#child, 'close');
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Returns what the handler has written meanwhile. One that throws ends its process. */
  async handle(event: object): Promise<string> {
    const [, , , done] = this.#child.stdio;
    if (done === null || done === undefined) throw new Error('the process has no fourth stream');
    this.#output = [];
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MILLISECONDS);
    this.#child.stdin?.write(`${JSON.stringify(event)}\n`);
    await Promise.race([once(done, 'data'), this.#closed]);
    clearTimeout(patience);
    return Buffer.concat(this.#output).toString();
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#closed;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function programOf({ runtime, folder, handler }: Provider): [program: string, arguments: string[]] {
  if (runtime.startsWith('nodejs')) return [process.execPath, [pathOf('run-node.ts'), folder, handler]];
  if (!runtime.startsWith('python')) throw new Error(`nothing here runs a handler for ${runtime}`);
  if (PYTHON === undefined) throw new Error('no Python with boto3 on this machine');
  return [PYTHON, [pathOf('run_python.py'), folder, handler]];
}

/** Debian's boto3 belongs to Debian's Python, which need not be the first on the path. */
const CANDIDATES = ['python3', '/usr/bin/python3'];

/** A Python that has boto3, or undefined. */
export const PYTHON = CANDIDATES.find(
  (program) => spawnSync(program, ['-c', 'import boto3'], { stdio: 'ignore' }).status === 0,
);

/** As `testUnlessMissing` takes it. */
export const MISSING = PYTHON === undefined ? ['Python with boto3'] : [];

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

/** CloudFormation accepts no longer one. */
const MAX_RESPONSE_BYTES = 4096;

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
  if (body.length > MAX_RESPONSE_BYTES) return failed(`a response of ${body.length} bytes`);
  const response = JSON.parse(body.toString());
  for (const key of ['RequestId', 'StackId', 'LogicalResourceId'] as const) {
    if (response[key] !== event[key]) return failed(`the response has another ${key}`);
  }
  const physicalId = response.PhysicalResourceId;
  if (typeof physicalId !== 'string') return failed('a response without a physical id');
  if (response.Status !== 'SUCCESS') return failed(`${response.Status}: ${response.Reason}`, physicalId);
  return { succeeded: true, physicalId, reason: '' };
}

const zips = new Map<string, Buffer>();

/** A folder as `cdk deploy` uploads it. Made by Python, which the handlers need anyway. */
export function zip(folder: string): Buffer {
  const made = zips.get(folder) ?? makeZip(folder);
  zips.set(folder, made);
  return made;
}

function makeZip(folder: string): Buffer {
  const place = mkdtempSync(join(tmpdir(), 'rehearsal-zip-'));
  const file = join(place, 'asset.zip');
  execFileSync(PYTHON ?? 'python3', ['-m', 'zipfile', '-c', file, '.'], { cwd: folder });
  const contents = readFileSync(file);
  rmSync(place, { recursive: true });
  return contents;
}
