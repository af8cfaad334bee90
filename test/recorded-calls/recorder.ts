import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { closeServer, listen } from '../../local/lifecycle.ts';
import { type ArnOf, iamCalls, type RecordedCall } from './iam-actions.ts';

type Outputs = Readonly<Record<string, string>>;

const ENDPOINTS = [OUTPUTS.localDynamoDbEndpoint, OUTPUTS.localSqsEndpoint, OUTPUTS.localCognitoEndpoint];

/** Stands before the engines of a local stack, and notes every call as IAM would see it. */
export async function startRecorder(outputs: Outputs, arnOf: ArnOf) {
  let calls: RecordedCall[] = [];
  const problems: Error[] = [];

  async function startBefore(endpoint: string) {
    const { hostname, port } = new URL(endpoint);
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        try {
          calls.push(...iamCalls(String(request.headers['x-amz-target']), JSON.parse(String(body)), arnOf));
        } catch (error) {
          problems.push(error as Error);
        }
        const { method, url, headers } = request;
        const passed = send({ hostname, port, method, path: url, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        passed.on('error', () => response.destroy());
        passed.end(body);
      });
    });
    await listen(server);
    return server;
  }

  const servers = await Promise.all(ENDPOINTS.map((name) => startBefore(outputs[name] as string)));
  const addresses = servers.map(
    (server, index) =>
      [ENDPOINTS[index], `http://127.0.0.1:${(server.address() as AddressInfo).port}`] as const,
  );
  const folder = mkdtempSync(join(tmpdir(), 'recorder-'));
  const outputsFile = join(folder, 'outputs.json');
  writeFileSync(outputsFile, JSON.stringify({ Recorded: { ...outputs, ...Object.fromEntries(addresses) } }));
  return {
    outputsFile,
    folder,
    /** The distinct calls since the last time. */
    take(): RecordedCall[] {
      if (problems[0]) throw problems[0];
      const taken = new Map(calls.map((call) => [`${call.action} ${call.resource}`, call]));
      calls = [];
      return [...taken.values()];
    },
    stop() {
      for (const server of servers) void closeServer(server);
      rmSync(folder, { recursive: true });
    },
  };
}
