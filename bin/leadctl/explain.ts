import { AdministrationError } from '../../lambdas/settings/administration/context.ts';
import { InvalidRequest } from '../../lambdas/settings/leads/cursor.ts';
import { Failure } from './failure.ts';
import { placeOf, type StackOutputs } from './stack-outputs.ts';

const UNREACHABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  ...['TimeoutError', 'NetworkingError'],
]);

const UNKNOWN_CREDENTIALS = new Set([
  ...['CredentialsProviderError', 'TokenProviderError', 'ExpiredToken', 'ExpiredTokenException'],
  ...['UnrecognizedClientException', 'InvalidSignatureException', 'InvalidClientTokenId'],
]);

/**
 * Turns what an operation threw into one sentence and what to do about it; undefined means a bug. What is thrown after
 * an interruption comes from it.
 */
export function explain(
  error: unknown,
  stack: StackOutputs,
  interruption?: Failure | undefined,
): Failure | undefined {
  if (error instanceof Failure) return error;
  if (interruption) return interruption;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AdministrationError) return explainRefusal(error, stack);

  const { name, message } = error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const where = placeOf(stack);
  const service = serviceOf(error);
  if (UNREACHABLE.has(name) || UNREACHABLE.has(code)) {
    return new Failure(
      'unreachable',
      stack.localDynamoDbEndpoint
        ? `Nothing answers for ${where}: is \`npm start\` running? Each start writes its outputs file anew.`
        : `Nothing answers for ${where}: check the network, and the Region in the outputs file.`,
    );
  }
  if (UNKNOWN_CREDENTIALS.has(name)) {
    // Not the SDK's own words: those of a credential process can quote what it printed.
    return new Failure(
      'credentials',
      'AWS knows no valid credentials of yours: sign in (`aws sso login`) or set AWS_PROFILE, and check with `aws sts get-caller-identity`.',
    );
  }
  if (name === 'AccessDeniedException') return new Failure('access_denied', `AWS refused: ${message}`);
  if (name === 'ResourceNotFoundException') {
    return new Failure(
      'wrong_stack',
      `${service === 'Cognito' ? 'The user pool' : 'A table'} of ${where} does not exist: ${
        stack.localDynamoDbEndpoint
          ? 'use the outputs file that the running `npm start` wrote.'
          : 'the outputs file is old, or your credentials are for another account or stack.'
      }`,
    );
  }
  if (error instanceof InvalidRequest) return new Failure('invalid', message, 2);
  // Cognito's own words may quote somebody's address.
  if (service === 'Cognito') return new Failure('aws', `Cognito refused (${name}).`);
  // Any other answer of the service, such as throttling.
  if ('$fault' in error) return new Failure('aws', `${service} refused (${name}): ${message}`);
  return undefined;
}

/** The SDK's errors do not name the service, but their classes tell. */
function serviceOf(error: Error): string {
  for (let proto = error; proto; proto = Object.getPrototypeOf(proto)) {
    const name = /^(SQS|CognitoIdentityProvider)ServiceException$/.exec(proto.constructor?.name)?.[1];
    if (name) return name === 'SQS' ? name : 'Cognito';
  }
  return 'DynamoDB';
}

function explainRefusal({ code, message }: AdministrationError, stack: StackOutputs): Failure {
  if (code === 'invalid') return new Failure(code, message, 2);
  if (code === 'conflict') return new Failure(code, message);
  return new Failure(code, `${message} Check the id, and that ${placeOf(stack)} is the stack you mean.`);
}
