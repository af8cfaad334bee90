import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { OUTPUTS } from '../../lambdas/contract.ts';
import type { Statement } from '../../local/iam/evaluate.ts';
import { closeServer, listen } from '../../local/lifecycle.ts';
import { TemplateReader, type Template as TemplateText } from '../../local/template.ts';
import { synthesize } from '../stack/synthesize.ts';
import { type ArnOf, iamCalls, type RecordedCall } from './iam-actions.ts';

export const STACK_NAME = 'LeadIngest-dev';

/** The stack of the tests as CloudFormation would create it on this machine. */
export const reader = new TemplateReader(synthesize('dev').toJSON() as TemplateText, STACK_NAME);

type Outputs = Readonly<Record<string, string>>;

/** Maps the names of a stack's resources to the ARNs of the template. */
export function arnsOf(outputs: Outputs): ArnOf {
  const { Outputs: described } = synthesize('dev').toJSON() as {
    Outputs: Record<string, { Value: { Ref: string } }>;
  };
  const arns = new Map(
    [...Object.values(OUTPUTS.tables), ...Object.values(OUTPUTS.queues), OUTPUTS.userPoolId].map((name) => [
      lastPart(outputs[name] ?? ''),
      reader.arn(described[name]?.Value.Ref as string),
    ]),
  );
  const arnOf = (name: string) => {
    const known = arns.get(lastPart(name));
    if (known !== undefined) return known;
    // A table that was restored beside the stack's own.
    if (name.endsWith('-restored')) return `${reader.arn('Leads').replace(/[^/]+$/, '')}${name}`;
    throw new Error(`the stack has no resource ${name}`);
  };
  return Object.assign(arnOf, { sourcesOf });
}

function sourcesOf(deadLettersArn: string): string[] {
  return reader
    .resources('AWS::SQS::Queue')
    .filter(
      (queue) =>
        queue.property<{ deadLetterTargetArn: string }>('RedrivePolicy')?.deadLetterTargetArn ===
        deadLettersArn,
    )
    .map(({ logicalId }) => reader.arn(logicalId));
}

/** A queue is named by its address and by its ARN. Both end with its name. */
function lastPart(name: string): string {
  return name.split(/[/:]/).at(-1) ?? '';
}

/** The statements of a managed policy of the template. */
export function statementsOf(logicalIdStart: string): Statement[] {
  const policy = reader
    .resources('AWS::IAM::ManagedPolicy')
    .find(({ logicalId }) => logicalId.startsWith(logicalIdStart));
  if (!policy) throw new Error(`the template has no managed policy ${logicalIdStart}`);
  return policy.required<{ Statement: Statement[] }>('PolicyDocument').Statement;
}

const ENDPOINTS = [OUTPUTS.localDynamoDbEndpoint, OUTPUTS.localSqsEndpoint, OUTPUTS.localCognitoEndpoint];

/** A proxy in front of the engines of a local stack that records every call as IAM would see it. */
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
