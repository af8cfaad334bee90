import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PATIENCE } from './service/sender.ts';

/** All numbers that a source file assigns to a name. */
function numbersIn(file: string, name: string): number[] {
  const source = readFileSync(new URL(`../../lambdas/${file}`, import.meta.url), 'utf8');
  return [...source.matchAll(new RegExp(`\\b${name}(?::| =) ([\\d_]+)`, 'g'))].map((match) =>
    Number(match[1]?.replaceAll('_', '')),
  );
}

test('the harness uses the deployed timeouts and attempts', () => {
  expect({
    deadlineMilliseconds: numbersIn('submission/ingest-dependencies.ts', 'DEADLINE_MS'),
    recordingMilliseconds: numbersIn('submission/ingest-dependencies.ts', 'RECORDING_MS'),
    maxAttempts: numbersIn('aws/dynamodb.ts', 'maxAttempts'),
    requestTimeoutMilliseconds: numbersIn('aws/dynamodb.ts', 'timeoutMilliseconds'),
    queueTimeoutMilliseconds: numbersIn('aws/queues.ts', 'TIMEOUT_MS'),
  }).toEqual({
    deadlineMilliseconds: [PATIENCE.deadlineMilliseconds],
    recordingMilliseconds: [PATIENCE.recordingMilliseconds],
    maxAttempts: [PATIENCE.maxAttempts],
    requestTimeoutMilliseconds: [PATIENCE.requestTimeoutMilliseconds],
    queueTimeoutMilliseconds: [PATIENCE.queueTimeoutMilliseconds],
  });
});
