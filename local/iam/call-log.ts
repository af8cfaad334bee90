import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { Print } from '../function-log.ts';
import type { Call } from './evaluate.ts';
import type { Grant } from './policies.ts';
import type { Principal, Verdict } from './principal.ts';

type GrantName = Pick<Grant, 'functionName' | 'action' | 'resource'>;

/** A distinct call. It names the table, index, stream, queue or key, but no content. */
export interface RecordedCall {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  readonly allowed: boolean;
  /** The grants of the role that each allow it, by action and resource. */
  readonly allowedBy: readonly Pick<Grant, 'action' | 'resource'>[];
  /** Whether the resource's policy allows it, too. */
  readonly byResource: boolean;
}

export interface CallLog {
  /** Records the grants of a function that has received credentials. */
  recordGrants(principal: Principal): void;
  recordCall(principal: Principal, call: Call, verdict: Verdict): void;
}

/** Writes grants and distinct calls to a file, one JSON object per line, and prints each denied call once. */
export function openCallLog(file: string, print: Print): CallLog {
  const seen = new Set<string>();
  // Most verdicts repeat.
  const noted = new WeakSet<Verdict>();
  writeFileSync(file, '');
  const write = (line: Line) => {
    const text = JSON.stringify(line);
    if (seen.has(text)) return false;
    seen.add(text);
    appendFileSync(file, `${text}\n`);
    return true;
  };
  return {
    recordGrants({ grants }) {
      for (const { functionName, action, resource } of grants)
        write({ grant: { functionName, action, resource } });
    },
    recordCall({ functionName }, { action, resource }, verdict) {
      if (noted.has(verdict)) return;
      noted.add(verdict);
      const { allowed, grants, byResource } = verdict;
      const allowedBy = grants.map((grant) => ({ action: grant.action, resource: grant.resource }));
      const isNew = write({ call: { functionName, action, resource, allowed, allowedBy, byResource } });
      if (isNew && !allowed) {
        print(`IAM denies ${action}: the role of ${functionName} lacks ${action} on ${resource}`);
      }
    },
  };
}

interface Line {
  readonly grant?: GrantName;
  readonly call?: RecordedCall;
}

export function readCallLog(file: string): { grants: GrantName[]; calls: RecordedCall[] } {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Line);
  return {
    grants: lines.flatMap(({ grant }) => grant ?? []),
    calls: lines.flatMap(({ call }) => call ?? []),
  };
}

/** The calls that only this grant allows. */
export function callsThatNeed(grant: GrantName, calls: readonly RecordedCall[]): RecordedCall[] {
  return calls.filter(
    ({ functionName, allowed, allowedBy, byResource }) =>
      functionName === grant.functionName &&
      allowed &&
      !byResource &&
      allowedBy.every(({ action, resource }) => action === grant.action && resource === grant.resource),
  );
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html */
const KEY_SELECTION =
  "AWS requires it for choosing a table's key, and does not say that reading or writing items needs it";

/** Grants that cannot be exercised locally, by action, with the reason. */
export const NOT_EXERCISED: Readonly<Record<string, string>> = {
  'logs:CreateLogStream': 'Lambda writes the logs; here they are files',
  'logs:PutLogEvents': 'Lambda writes the logs; here they are files',
  'xray:PutTelemetryRecords': 'X-Ray has no local engine',
  'xray:PutTraceSegments': 'X-Ray has no local engine',
  'cloudwatch:GetMetricStatistics': 'CloudWatch has no local engine',
  'secretsmanager:GetSecretValue': 'Secrets Manager has no local engine',
  'kms:DescribeKey': KEY_SELECTION,
  'kms:Encrypt': KEY_SELECTION,
  'kms:GenerateDataKey': KEY_SELECTION,
  'kms:GenerateDataKeyWithoutPlaintext': KEY_SELECTION,
  'kms:ReEncryptFrom': KEY_SELECTION,
  'kms:ReEncryptTo': KEY_SELECTION,
};
