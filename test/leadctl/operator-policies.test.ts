import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { makeProgram } from '../../bin/leadctl/main.ts';
import { openStack } from '../../bin/operator/open-stack.ts';
import { DOCTOR_SID } from '../../lib/operator-policies/doctor.ts';
import { evaluate, type Statement } from '../../local/iam/evaluate.ts';
import type { RecordedCall } from '../recorded-calls/iam-actions.ts';
import { arnsOf, startRecorder, statementsOf } from '../recorded-calls/recorder.ts';
import { type Access, runEveryCommand } from './every-command.ts';
import { makeOwnQueues, startOwnCognito } from './own-engines.ts';

const POLICIES: Readonly<Record<Access, readonly Statement[]>> = {
  read: statementsOf('OperatorReadPolicy'),
  full: statementsOf('OperatorPolicy'),
};

/** What no command calls directly, and why it is still granted. */
const NOT_CALLED: readonly [statement: (each: Statement) => boolean, reason: string][] = [
  [
    ({ Sid = '' }) => Sid.startsWith(DOCTOR_SID),
    'leadctl doctor asks for these on AWS alone: test/leadctl/doctor-*.test.ts',
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

beforeAll(async () => {
  const { outputsFile, ...cognito } = await startOwnCognito();
  const [outputs] = Object.values(
    JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Record<string, string>>,
  );
  const shared = openStack(outputsFile);
  const own = { ...outputs, ...(await makeOwnQueues(shared.queueClient)) };
  writeFileSync(outputsFile, JSON.stringify({ Own: own }));
  const stack = openStack(outputsFile);
  const recorder = await startRecorder(own, arnsOf(own));
  try {
    await runEveryCommand({
      outputsFile: recorder.outputsFile,
      folder: recorder.folder,
      stack,
      onDone: (command, access) => done.push({ command: command.join(' '), access, calls: recorder.take() }),
    });
  } finally {
    recorder.stop();
    for (const { client, queueClient } of [shared, stack]) {
      client.destroy();
      queueClient.destroy();
    }
    await cognito.close();
  }
}, 300_000);

function list(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

function namesOf({ commands }: Command, before = ''): string[] {
  return commands.flatMap((each) =>
    each.commands.length > 0 ? namesOf(each, `${each.name()} `) : [`${before}${each.name()}`],
  );
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
