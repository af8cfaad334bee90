import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { outputsWith } from './own-engines.ts';
import {
  onTestStack,
  openTestStack,
  PROGRAM,
  runLeadctl,
  startLeadctl,
  testOutputsFile,
} from './run-leadctl.ts';

describe('failed commands', () => {
  const folder = temporaryFolder('leadctl');
  /** Responds to every call with the error that the URL's path names: the SDK and the network stay real. */
  let service: Server;
  let serviceUrl: string;

  beforeAll(async () => {
    service = createServer((request, response) => {
      const name = (request.url ?? '').split('/')[1];
      request.resume();
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(
        JSON.stringify({ __type: `com.amazonaws.dynamodb#${name}`, message: `${name}, said AWS` }),
      );
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterAll(() => void service.close());

  /** The same stack as if it were on AWS. */
  const onAws = () =>
    outputsWith({ [OUTPUTS.localDynamoDbEndpoint]: undefined, [OUTPUTS.region]: 'eu-central-1' }, folder);

  const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'very-secret-key' };

  /** In its own process if there are variables to set: the AWS SDK reads only those of the process. */
  async function failureOf(file: string, environment?: Record<string, string>) {
    const args = ['--outputs', file, 'workspace', 'list'];
    const run = await (environment ? startLeadctl(args, { environment }).run : runLeadctl(args));
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    // One line: no stack trace, no warnings.
    expect(run.stderr).toMatch(/^leadctl: [^\n]+\n$/);
    expect(run.stderr).not.toContain(CREDENTIALS.AWS_SECRET_ACCESS_KEY);
    return run.stderr;
  }

  test('asks whether npm start is running when the local stack does not respond', async () => {
    const unused = createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const endpoint = `http://127.0.0.1:${(unused.address() as AddressInfo).port}`;
    unused.close();
    await once(unused, 'close');
    const file = outputsWith({ [OUTPUTS.localDynamoDbEndpoint]: endpoint }, folder);
    expect(await failureOf(file)).toMatch('Check that `npm start` is running');
  });

  test('points at the outputs file when a table of the local stack does not exist', async () => {
    const file = outputsWith({ [OUTPUTS.tables.workspaces]: 'long-gone' }, folder);
    expect(await failureOf(file)).toMatch(
      /A table of stack LeadIngest-dev on this machine .* does not exist/,
    );
  });

  test('never sends the operator’s own credentials to a local stack', async () => {
    const seen: (string | undefined)[] = [];
    service.prependListener('request', (request) => seen.push(request.headers.authorization));
    const endpoint = `${serviceUrl}/ResourceNotFoundException`;
    const file = outputsWith({ [OUTPUTS.localDynamoDbEndpoint]: endpoint }, folder);
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
      /A table of stack LeadIngest-dev in eu-central-1 does not exist\. .* another account/,
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
});

describe('a closed output', () => {
  const stack = openTestStack();
  const folder = temporaryFolder('leadctl-outputs');

  /** A device of Linux on which every write fails as on a full disk. */
  const FULL = '/dev/full';
  const onLinux = existsSync(FULL) ? test : test.skip;

  async function writingToFullDisk(args: readonly string[]) {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env.PATH, LEADCTL_OUTPUTS: testOutputsFile() },
      stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
    });
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
    return { exitCode, stderr };
  }

  describe('standard output on a full disk is one clear error', () => {
    onLinux.each([
      ['help', () => ['--help']],
      ['a list', () => ['workspace', 'list']],
      ['an export', (formId: string) => ['leads', 'export', '--form', formId, '--format', 'csv']],
    ])('%s', async (_, args) => {
      const { formId } = await stack.newForm();
      expect(await writingToFullDisk(args(formId))).toEqual({
        exitCode: 1,
        stderr: 'leadctl: Cannot write standard output: no space left on the device (ENOSPC).\n',
      });
    });
  });

  test('an export refuses a file that is not a regular one', async () => {
    const { formId } = await stack.newForm();
    const args = ['leads', 'export', '--form', formId, '--format', 'csv', '--yes', '--out', folder];
    const stderr = `leadctl: ${folder} is not a regular file.\n`;
    expect(await onTestStack(args)).toEqual({ exitCode: 2, stdout: '', stderr });
  });

  describe('a backup', () => {
    test('that fails removes what it wrote, so that it can be run again', async () => {
      const file = outputsWith({ [OUTPUTS.tables.workspaces]: 'NoSuchTable' }, folder);
      const to = join(folder, 'backup');
      const failed = await runLeadctl(['--outputs', file, 'backup', '--to', to]);
      expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
      expect(failed.stderr).toContain('does not exist');
      expect(readdirSync(to)).toEqual([]);
    });

    test('that was killed is named as such, with what to do', async () => {
      const to = join(folder, 'killed');
      mkdirSync(to);
      writeFileSync(join(to, 'leads.ndjson'), '');
      const run = await onTestStack(['backup', '--to', to]);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toBe(
        `leadctl: ${to} contains an incomplete backup. Remove it, or choose another folder with --to.\n`,
      );
    });
  });
});
