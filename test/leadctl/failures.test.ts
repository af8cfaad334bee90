import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { runLeadctl, startLeadctl, testOutputsFile } from './run-leadctl.ts';

type Outputs = Record<string, string>;

const folder = mkdtempSync(join(tmpdir(), 'leadctl-'));
/** Answers every call with the error that the URL's path names: the SDK and the network stay real. */
let service: Server;
let serviceUrl: string;

beforeAll(async () => {
  service = createServer((request, response) => {
    const name = (request.url ?? '').split('/')[1];
    request.resume();
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb#${name}`, message: `${name}, said AWS` }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(async () => {
  service.close();
  rmSync(folder, { recursive: true });
});

function outputsFile(name: string, change: (outputs: Outputs) => Outputs): string {
  const [outputs] = Object.values(
    JSON.parse(readFileSync(testOutputsFile(), 'utf8')) as Record<string, Outputs>,
  );
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ Changed: change(outputs ?? {}) }));
  return file;
}

/** The same stack as if it were on AWS. */
const onAws = () =>
  outputsFile('aws.json', ({ [OUTPUTS.localDynamoDbEndpoint]: _, ...rest }) => ({
    ...rest,
    [OUTPUTS.region]: 'eu-central-1',
  }));

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'very-secret-key' };

/** In a process of its own where there are variables to set: the AWS SDK knows those of the process alone. */
async function failureOf(file: string, environment?: Record<string, string>) {
  const args = ['--outputs', file, 'workspace', 'list'];
  const run = await (environment ? startLeadctl(args, { environment }).run : runLeadctl(args));
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  // One line: no stack trace, no warnings.
  expect(run.stderr).toMatch(/^leadctl: [^\n]+\n$/);
  expect(run.stderr).not.toContain(CREDENTIALS.AWS_SECRET_ACCESS_KEY);
  return run.stderr;
}

test('asks whether npm start is running when the local stack does not answer', async () => {
  const unused = createServer().listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const endpoint = `http://127.0.0.1:${(unused.address() as AddressInfo).port}`;
  unused.close();
  await once(unused, 'close');
  const file = outputsFile('stopped.json', (outputs) => ({
    ...outputs,
    [OUTPUTS.localDynamoDbEndpoint]: endpoint,
  }));
  expect(await failureOf(file)).toMatch('Check that `npm start` is running');
});

test('points at the outputs file when a table of the local stack does not exist', async () => {
  const file = outputsFile('old.json', (outputs) => ({
    ...outputs,
    [OUTPUTS.tables.workspaces]: 'long-gone',
  }));
  expect(await failureOf(file)).toMatch(/A table of stack Changed on this machine .* does not exist/);
});

test('never sends the operator’s own credentials to a local stack', async () => {
  const seen: (string | undefined)[] = [];
  service.prependListener('request', (request) => seen.push(request.headers.authorization));
  const file = outputsFile('watched.json', (outputs) => ({
    ...outputs,
    [OUTPUTS.localDynamoDbEndpoint]: `${serviceUrl}/ResourceNotFoundException`,
  }));
  await failureOf(file, CREDENTIALS);
  expect(seen).toEqual([expect.stringContaining('Credential=local/')]);
});

test('says how to sign in when there are no AWS credentials', async () => {
  const nobody = { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' };
  expect(await failureOf(onAws(), nobody)).toMatch('aws sso login');
});

test.each([
  ['ExpiredTokenException', /aws sso login/],
  ['UnrecognizedClientException', /aws sso login/],
  ['AccessDeniedException', /AWS denied access: AccessDeniedException, said AWS/],
  [
    'ResourceNotFoundException',
    /A table of stack Changed in eu-central-1 does not exist\. .* another account/,
  ],
  [
    'ValidationException',
    /DynamoDB returned an error \(ValidationException\): ValidationException, said AWS/,
  ],
])('explains %s', async (name, sentence) => {
  const environment = { ...CREDENTIALS, AWS_ENDPOINT_URL_DYNAMODB: `${serviceUrl}/${name}` };
  expect(await failureOf(onAws(), environment)).toMatch(sentence);
});

test('says so when AWS cannot be reached', async () => {
  const environment = { ...CREDENTIALS, AWS_ENDPOINT_URL_DYNAMODB: 'http://nowhere.invalid' };
  expect(await failureOf(onAws(), environment)).toMatch('Check the network');
});
