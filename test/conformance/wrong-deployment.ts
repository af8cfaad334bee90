import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';

interface WrongAnswer {
  readonly status: number;
  readonly body: string;
}

export type AnswerWrongly = (request: IncomingMessage, body: string) => WrongAnswer;

export const acceptEverything: AnswerWrongly = () => ({
  status: 202,
  body: JSON.stringify({ submission_id: randomUUID() }),
});

export const rejectEverything: AnswerWrongly = () => ({ status: 200, body: '{"status":"rejected"}' });

/** Like a service whose error messages echo the request, including credentials. */
export const repeatEverything: AnswerWrongly = ({ headers, url }, body) => ({
  status: 400,
  body: JSON.stringify({ url, headers, body: body.slice(0, 1_000) }),
});

/** The stack of the test run, but with another server at its ingest URL. */
export async function startWrongDeployment(answerWrongly: AnswerWrongly) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { status, body: answer } = answerWrongly(request, body);
      response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'wrong-deployment-'));
  const outputsFile = join(folder, 'outputs.json');
  const stacks = JSON.parse(readFileSync(localStack().outputsFile, 'utf8')) as Record<string, object>;
  const [[name, outputs] = ['', {}]] = Object.entries(stacks);
  const ingestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stage`;
  writeFileSync(outputsFile, JSON.stringify({ [name]: { ...outputs, [OUTPUTS.ingestUrl]: ingestUrl } }));
  return {
    outputsFile,
    stop() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
}
