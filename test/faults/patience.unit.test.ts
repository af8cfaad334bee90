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

test.each([
  ['deadlineMilliseconds', 'submission/ingest-dependencies.ts', 'DEADLINE_MS'],
  ['recordingMilliseconds', 'submission/ingest-dependencies.ts', 'RECORDING_MS'],
  ['maxAttempts', 'aws/dynamodb.ts', 'maxAttempts'],
  ['requestTimeoutMilliseconds', 'aws/dynamodb.ts', 'timeoutMilliseconds'],
  ['queueTimeoutMilliseconds', 'aws/queues.ts', 'TIMEOUT_MS'],
] as const)('the %s of the harness are the deployed ones', (ours, file, name) => {
  expect(numbersIn(file, name)).toEqual([PATIENCE[ours]]);
});
