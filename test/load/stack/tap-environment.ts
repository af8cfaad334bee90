/** Loaded into each environment before its function, to report its memory and its failed gate writes. */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import { CHANNEL, type EnvironmentNote } from './tap-protocol.ts';

const environment = process.env.AWS_LAMBDA_LOG_STREAM_NAME ?? '';
const functionName = process.env.AWS_LAMBDA_FUNCTION_NAME ?? '';

const channel = new BroadcastChannel(CHANNEL);
channel.unref();
const report = (note: EnvironmentNote) => channel.postMessage(note);

channel.onmessage = (message: unknown) => {
  if ((message as { data: EnvironmentNote }).data.kind !== 'weigh') return;
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  report({ kind: 'weight', environment, functionName, heapBytes: process.memoryUsage().heapUsed });
};

/** The window of a gate write, read from its body: no other write has one. */
const windows = new WeakMap<ClientRequest, string>();
subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest };
  if (request.getHeader('x-amz-target') !== 'DynamoDB_20120810.UpdateItem') return;
  const end = request.end.bind(request);
  request.end = ((...given: Parameters<typeof end>) => {
    const [, window] = /"(n1[ab]m\d+)"/.exec(String(given[0])) ?? [];
    if (window !== undefined) windows.set(request, window);
    return end(...given);
  }) as typeof end;
});
subscribe('http.client.response.finish', (message) => {
  const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
  const window = windows.get(request);
  if (window === undefined || response.statusCode !== 400) return;
  report({ kind: 'failed-gate-write', environment, functionName, window });
});
