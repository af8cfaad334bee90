import { AdministrationError, InvalidField, InvalidRequest } from '../../lambdas/owner-api/errors.ts';
import { Failure } from './failure.ts';
import { placeOf, type StackOutputs } from './stack-outputs.ts';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'TimeoutError',
  'NetworkingError',
]);

const UNKNOWN_CREDENTIALS = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'InvalidClientTokenId',
]);

/**
 * Turns an error into a message that says what to do; undefined means a bug. After an interruption, every error is
 * caused by it.
 */
export function explain(
  error: unknown,
  stack: StackOutputs,
  interruption?: Failure | undefined,
): Failure | undefined {
  if (error instanceof Failure) return error;
  if (interruption) return interruption;
  if (!(error instanceof Error)) return undefined;
  if (error instanceof InvalidField) {
    return new Failure(error.code, `${OPTIONS[error.field] ?? error.field} ${error.problem}.`, 2);
  }
  if (error instanceof AdministrationError) {
    return explainRefusal(error, stack);
  }

  const { name, message } = error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const where = placeOf(stack);
  const service = serviceOf(error);
  if (UNREACHABLE.has(name) || UNREACHABLE.has(code)) {
    return new Failure(
      'unreachable',
      stack.localDynamoDbEndpoint
        ? `Cannot reach ${where}. Check that \`npm start\` is running; each start rewrites the outputs file.`
        : `Cannot reach ${where}. Check the network and the region in the outputs file.`,
    );
  }
  if (UNKNOWN_CREDENTIALS.has(name)) {
    // Not the SDK's message: it can quote the output of a credential process.
    return new Failure(
      'credentials',
      'No valid AWS credentials. Sign in (`aws sso login`) or set AWS_PROFILE, then check with `aws sts get-caller-identity`.',
    );
  }
  if (name === 'AccessDeniedException') return new Failure('access_denied', `AWS denied access: ${message}`);
  if (name === 'ResourceNotFoundException') {
    return new Failure(
      'wrong_stack',
      `${service === 'Cognito' ? 'The user pool' : 'A table'} of ${where} does not exist. ${
        stack.localDynamoDbEndpoint
          ? 'Use the outputs file of the running `npm start`.'
          : 'The outputs file is outdated, or your credentials are for another account.'
      }`,
    );
  }
  if (error instanceof InvalidRequest) return new Failure('invalid', message, 2);
  // Cognito's message may contain an email address.
  if (service === 'Cognito') return new Failure('aws', `Cognito returned an error (${name}).`);
  // Any other error of the service, such as throttling.
  if ('$fault' in error) return new Failure('aws', `${service} returned an error (${name}): ${message}`);
  return undefined;
}

/** The SDK's errors do not name the service, but their classes do. */
function serviceOf(error: Error): string {
  for (let proto = error; proto; proto = Object.getPrototypeOf(proto)) {
    const name = /^(SQS|CognitoIdentityProvider)ServiceException$/.exec(proto.constructor?.name)?.[1];
    if (name) return name === 'SQS' ? name : 'Cognito';
  }
  return 'DynamoDB';
}

/** The options of `destination create`, by the fields of the settings API. */
const OPTIONS: Readonly<Record<string, string>> = {
  url: '--url',
  email: '--email',
  name: '--name',
  events: '--event',
  forms: '--form',
};

function explainRefusal({ code, message }: AdministrationError, stack: StackOutputs): Failure {
  if (code === 'invalid') return new Failure(code, message, 2);
  if (code === 'conflict' || code === 'limit_reached') return new Failure(code, message);
  return new Failure(code, `${message} Check the ID, and that ${placeOf(stack)} is the right stack.`);
}
