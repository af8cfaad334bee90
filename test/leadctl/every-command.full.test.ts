import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeProgram } from '../../bin/leadctl/main.ts';
import { type OpenStack, openStack } from '../../bin/operator/open-stack.ts';
import { DOCTOR_SID } from '../../lib/operator-policies/doctor.ts';
import { evaluate, type Statement } from '../../local/iam/evaluate.ts';
import type { RecordedCall } from '../recorded-calls/iam-actions.ts';
import { arnsOf, startRecorder, statementsOf } from '../recorded-calls/recorder.ts';
import { type Access, openTable, type Row, type Step, type Values } from './command-table.ts';
import { EVERY_COMMAND } from './every-command.ts';
import { makeOwnQueues, startOwnCognito } from './own-engines.ts';
import { namesOf } from './run-leadctl.ts';

const POLICIES: Readonly<Record<Access, readonly Statement[]>> = {
  read: statementsOf('OperatorReadPolicy'),
  full: statementsOf('OperatorPolicy'),
};

/** What no command calls directly, and why it is still granted. */
const NOT_CALLED: readonly [statement: (each: Statement) => boolean, reason: string][] = [
  [
    ({ Sid = '' }) => Sid.startsWith(DOCTOR_SID),
    'leadctl doctor asks for these on AWS alone: test/leadctl/doctor-*.unit.test.ts',
  ],
  [
    ({ Action }) => list(Action).every((action) => action.startsWith('kms:')),
    'DynamoDB calls KMS in the name of who reads and writes webhook secrets',
  ],
];

/** These call nothing on AWS: `mail bounce` is for a stack on this machine. */
const WITHOUT_STACK = ['mail bounce', 'listen', 'completion'];

interface Done {
  readonly command: string;
  readonly access: Access;
  readonly calls: readonly RecordedCall[];
}

const done: Done[] = [];
const rows = EVERY_COMMAND.filter((each): each is Row => typeof each !== 'function');

describe('prints what it should', () => {
  let cognito: Awaited<ReturnType<typeof startOwnCognito>>;
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  let stack: OpenStack;
  let table: ReturnType<typeof openTable>;
  const values: Values = { email: `policies-${Date.now()}@example.com` };

  beforeAll(async () => {
    cognito = await startOwnCognito();
    const own = await ownOutputs(cognito.outputsFile);
    stack = openStack(cognito.outputsFile);
    recorder = await startRecorder(own, arnsOf(own));
    const { ingestUrl, sourcesUrl = '' } = stack.outputs;
    Object.assign(values, { ingestUrl, sourcesUrl, folder: recorder.folder });
    table = openTable(recorder.outputsFile, values);
  });
  afterAll(async () => {
    recorder.stop();
    stack.client.destroy();
    stack.queueClient.destroy();
    await cognito.close();
  });

  test.each(rows.map(([line], index) => [line, index] as const))('%s', async (_line, index) => {
    const row = rows[index] as Row;
    for (const each of stepsBefore(row)) await each(values, stack);
    recorder.take();
    try {
      await table.expectRow(row);
    } finally {
      done.push({ command: row[0], access: row[1], calls: recorder.take() });
    }
  });
});

function stepsBefore(row: Row): Step[] {
  const before = EVERY_COMMAND.slice(0, EVERY_COMMAND.indexOf(row));
  const lastRow = before.findLastIndex((each) => typeof each !== 'function');
  return before.slice(lastRow + 1) as Step[];
}

/** Queues that nobody else fills or reads. */
async function ownOutputs(outputsFile: string): Promise<Record<string, string>> {
  const shared = openStack(outputsFile);
  const [outputs] = Object.values(
    JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Record<string, string>>,
  );
  const own = { ...outputs, ...(await makeOwnQueues(shared.queueClient)) };
  writeFileSync(outputsFile, JSON.stringify({ Own: own }));
  shared.client.destroy();
  shared.queueClient.destroy();
  return own;
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

function denied(access: Access, { calls }: Done): string[] {
  return calls
    .filter((call) => !evaluate(POLICIES[access], call).allowed)
    .map(({ action, resource }) => `${action} on ${resource}`);
}

test('every command of leadctl is run', async () => {
  const program = await makeProgram(process, { usage: () => undefined, exitCode: () => undefined });
  const missing = namesOf(program).filter((name) => !done.some(({ command }) => command.startsWith(name)));
  expect(missing).toEqual(WITHOUT_STACK);
});

test('the full policy is enough for every command', () => {
  expect(done.filter((each) => denied('full', each).length > 0)).toEqual([]);
});

test('the read-only policy is enough for commands that only read, and for no others', () => {
  const allowed = done.filter((each) => denied('read', each).length === 0);
  expect(allowed.map(({ command }) => command)).toEqual(
    done.filter(({ access }) => access === 'read').map(({ command }) => command),
  );
});

test('the read-only policy neither reads secrets nor uses their key', () => {
  const text = JSON.stringify(POLICIES.read);
  expect(text).not.toMatch(/FormSecrets|DestinationSecrets|kms:/);
});

describe('no policy grants more than the commands use', () => {
  test.each(['read', 'full'] as const)('%s', (access) => {
    const calls = done
      .filter((each) => access === 'full' || each.access === 'read')
      .flatMap((each) => each.calls);
    const unused = POLICIES[access]
      .filter((statement) => !NOT_CALLED.some(([matches]) => matches(statement)))
      .flatMap(({ Action, Resource }) =>
        list(Action).flatMap((action) => list(Resource).map((resource) => ({ action, resource }))),
      )
      .filter(({ action, resource }) => {
        const statement = { Effect: 'Allow', Action: action, Resource: resource };
        return !calls.some((call) => evaluate([statement], call).allowed);
      });
    expect(unused).toEqual([]);
  });
});
