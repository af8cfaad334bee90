import { Failure } from '../../operator/failure.ts';

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const warn = (found: string, todo: string): Finding => ({ status: 'warn', found, todo });
export const fail = (found: string, todo: string): Finding => ({ status: 'fail', found, todo });
export const skip = (found: string): Finding => ({ status: 'skip', found });

/** Combines findings of one kind, such as aliases: reports all of the worst status. */
export function worstOf(findings: readonly Finding[], allFine: string): Finding {
  for (const status of ['fail', 'warn'] as const) {
    const those = findings.filter((each) => each.status === status);
    if (those.length === 0) continue;
    const todos = new Set(those.map(({ todo = '' }) => todo));
    return { status, found: those.map(({ found }) => found).join('; '), todo: [...todos].join(' ') };
  }
  return ok(allFine);
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Finding>;
}

export interface CheckResult extends Finding {
  readonly name: string;
}

/** Runs the checks one by one and reports each at once. An error becomes the finding of its check. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, run } of checks) {
    const result = { name, ...(await run().catch(explainError)) };
    results.push(result);
    onResult(result);
  }
  return results;
}

const LABELS: Readonly<Record<Status, string>> = { ok: 'ok', warn: 'warn', fail: 'FAIL', skip: 'skip' };

export function lineOf({ status, name, found, todo }: CheckResult): string {
  return `${LABELS[status].padEnd(4)}  ${name.padEnd(20)}  ${found}${todo ? `. ${todo}` : ''}`;
}

export function summaryOf(results: readonly CheckResult[]): string {
  const count = (status: Status) => results.filter((each) => each.status === status).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed + warned === 0) return 'No issues.';
  return `${failed} failed, ${warned} ${warned === 1 ? 'warning' : 'warnings'}.`;
}

/** A warning does not fail the command. A skipped check does not apply or could not run. */
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

export interface Finding {
  readonly status: Status;
  readonly found: string;
  /** On a warning or failure, what to do. */
  readonly todo?: string;
}

/** A check cannot run because something it requires is missing. Another check reports that. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

const permissions = new WeakMap<Error, string>();

/** Records which permission a call needs, to name it if access is denied. */
export async function asking<HttpResponse>(
  permission: string,
  call: Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error) permissions.set(error, permission);
    throw error;
  }
}

/** Undefined if AWS returns one of these errors, which mean "not found". */
export async function unless<HttpResponse>(
  absent: readonly string[],
  call: Promise<HttpResponse>,
): Promise<HttpResponse | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && absent.includes(error.name)) return undefined;
    throw error;
  }
}

const DENIED = /^(AccessDenied|AuthorizationError|UnauthorizedOperation|NotAuthorized)/;
const THROTTLED =
  /^(Throttl|RequestThrottled|TooManyRequests|RequestLimitExceeded|LimitExceeded|PriorRequestNotComplete)/;
const CREDENTIALS =
  /^(CredentialsProviderError|TokenProviderError|ExpiredToken|UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|InvalidClientTokenId|IncompleteSignature)/;
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|TimeoutError|NetworkingError)$/;

/**
 * Turns an error of a check into its finding. Never quotes AWS, whose messages name the caller. An interruption ends
 * all checks.
 */
export function explainError(error: unknown): Finding {
  if (error instanceof NotChecked) return { status: 'skip', found: error.message };
  if (error instanceof Error && error.name === 'AbortError') throw error;
  if (error instanceof Failure) return { status: 'fail', found: error.code, todo: error.message };
  if (!(error instanceof Error)) return { status: 'fail', found: 'unexpected error', todo: 'Report this.' };
  const { name, message } = error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const call = /not authorized to perform: ([\w-]+:\w+)/.exec(message)?.[1] ?? permissions.get(error);
  if (CREDENTIALS.test(name)) {
    return {
      status: 'fail',
      found: `no valid AWS credentials (${name})`,
      todo: 'Sign in (aws sso login) or set AWS_PROFILE, then check with: aws sts get-caller-identity',
    };
  }
  if (DENIED.test(name)) {
    const needed = call ?? 'the permission for this check';
    return {
      status: 'warn',
      found: 'access denied',
      todo: `Allow ${needed}, or ask somebody who has this permission.`,
    };
  }
  if (THROTTLED.test(name)) {
    return {
      status: 'warn',
      found: `AWS throttled ${call ?? 'the request'}`,
      todo: 'Run this again in a minute.',
    };
  }
  if (UNREACHABLE.test(name) || UNREACHABLE.test(code)) {
    return {
      status: 'fail',
      found: `no response to ${call ?? 'a request'} (${code || name})`,
      todo: 'Check the network and the spelling of the region.',
    };
  }
  if ('$fault' in error) {
    return {
      status: 'fail',
      found: `${call ?? 'AWS'} returned ${name}`,
      todo: 'Make the same call with the AWS CLI to see the reason.',
    };
  }
  return { status: 'fail', found: `unexpected error: ${message}`, todo: 'Report this.' };
}
