import type { Owners } from '../../lambdas/operator/owners-store.ts';
import { Failure } from './failure.ts';
import type { Session } from './session.ts';
import { placeOf } from './stack-outputs.ts';

type Stack = Pick<Session, 'outputs'>;

/** Undefined for a stack that has no user pool. Loaded when needed: no other command knows Cognito. */
export async function findOwners({ outputs }: Stack): Promise<Owners | undefined> {
  const { region, userPoolId, localCognitoEndpoint: endpoint, localDynamoDbEndpoint } = outputs;
  // Never the operator's AWS account instead: the file means a stack on this machine.
  const elsewhere = localDynamoDbEndpoint !== undefined && endpoint === undefined;
  if (userPoolId === undefined || elsewhere) return undefined;
  const [{ CognitoIdentityProviderClient }, { makeOwners }, { LOCAL_CREDENTIALS, PATIENCE }] =
    await Promise.all([
      import('@aws-sdk/client-cognito-identity-provider'),
      import('../../lambdas/operator/owners-store.ts'),
      import('./open-stack.ts'),
    ]);
  const local = endpoint === undefined ? {} : { endpoint, credentials: LOCAL_CREDENTIALS };
  return makeOwners(
    new CognitoIdentityProviderClient({ region, requestHandler: PATIENCE, ...local }),
    userPoolId,
  );
}

export async function requireOwners(stack: Stack): Promise<Owners> {
  const owners = await findOwners(stack);
  if (owners) return owners;
  throw new Failure(
    'wrong_stack',
    `There is no user pool in ${placeOf(stack.outputs)}, so it has no owners: deploy or start it again with this version.`,
  );
}
