import { Failure } from '../failure.ts';
import type { Finding } from './check.ts';

/** A check has nothing to look at, since something that it needs is missing: another line says what. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

const permissions = new WeakMap<Error, string>();

/** Notes which permission a call needs, so that a refusal can name it. */
export async function asking<Answer>(permission: string, call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error) permissions.set(error, permission);
    throw error;
  }
}

/** Undefined where AWS answers with one of these errors, which mean that there is no such thing. */
export async function unless<Answer>(
  absent: readonly string[],
  call: Promise<Answer>,
): Promise<Answer | undefined> {
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
 * What a check threw, as its finding. Never in the words of AWS, which name the user or role that asks. An interruption
 * ends the examination.
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
      found: `AWS accepts no credentials of yours (${name})`,
      todo: 'Sign in (aws sso login) or set AWS_PROFILE, and check with: aws sts get-caller-identity',
    };
  }
  if (DENIED.test(name)) {
    const needed = call ?? 'the permission that this check needs';
    return {
      status: 'warn',
      found: 'not permitted',
      todo: `Allow ${needed}, or let somebody run it who may.`,
    };
  }
  if (THROTTLED.test(name)) {
    return {
      status: 'warn',
      found: `AWS throttles ${call ?? 'its callers'}`,
      todo: 'Run it again in a minute.',
    };
  }
  if (UNREACHABLE.test(name) || UNREACHABLE.test(code)) {
    return {
      status: 'fail',
      found: `no answer to ${call ?? 'a request'} (${code || name})`,
      todo: 'Check the network, and that the region is spelled right.',
    };
  }
  if ('$fault' in error) {
    return {
      status: 'fail',
      found: `${call ?? 'AWS'} answered ${name}`,
      todo: 'Make the same call with the AWS CLI: it prints the reason.',
    };
  }
  return { status: 'fail', found: `unexpected error: ${message}`, todo: 'Report this.' };
}
