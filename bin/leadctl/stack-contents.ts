import type { Owners } from '../../lambdas/operator/owners-store.ts';
import type { WorkspaceContents } from '../../lambdas/operator/workspace-contents-store.ts';
import type { FormRecord } from '../../lambdas/workspaces/forms-store.ts';
import { Failure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import type { Session } from './session.ts';

type Stack = Pick<Session, 'client' | 'tables' | 'outputs'>;

/** Loaded late: help does not need the SDK. */
export async function openContents({ client, tables }: Stack): Promise<WorkspaceContents> {
  const { makeWorkspaceContents } = await import('../../lambdas/operator/workspace-contents-store.ts');
  return makeWorkspaceContents({ client, tables });
}

export async function requireForm(stack: Stack, formId: string): Promise<FormRecord> {
  const form = await (await openContents(stack)).findForm(formId);
  if (!form) throw notFound('Form', formId, stack);
  return form;
}

export async function requireWorkspace(stack: Stack, workspaceId: string): Promise<void> {
  if (!(await (await openContents(stack)).findWorkspace(workspaceId))) {
    throw notFound('Workspace', workspaceId, stack);
  }
}

function notFound(kind: string, id: string, { outputs }: Stack): Failure {
  return new Failure(
    'not_found',
    `${kind} ${id} not found. Check the ID, and that ${placeOf(outputs)} is the right stack.`,
  );
}

/** Undefined if the stack has no user pool. Loads Cognito's client late: no other command needs it. */
export async function findOwners({ outputs }: Pick<Session, 'outputs'>): Promise<Owners | undefined> {
  const { region, userPoolId, localCognitoEndpoint: endpoint, localDynamoDbEndpoint } = outputs;
  // Never fall back to the operator's AWS account: the file is of a stack on this machine.
  const elsewhere = localDynamoDbEndpoint !== undefined && endpoint === undefined;
  if (userPoolId === undefined || elsewhere) return undefined;
  const [{ CognitoIdentityProviderClient }, { makeOwners }, { LOCAL_CREDENTIALS, PATIENCE }] =
    await Promise.all([
      import('@aws-sdk/client-cognito-identity-provider'),
      import('../../lambdas/operator/owners-store.ts'),
      import('../operator/open-stack.ts'),
    ]);
  const local = endpoint === undefined ? {} : { endpoint, credentials: LOCAL_CREDENTIALS };
  return makeOwners(
    new CognitoIdentityProviderClient({ region, requestHandler: PATIENCE, ...local }),
    userPoolId,
  );
}

export async function requireOwners(stack: Pick<Session, 'outputs'>): Promise<Owners> {
  const owners = await findOwners(stack);
  if (owners) return owners;
  throw new Failure(
    'wrong_stack',
    `No user pool in ${placeOf(stack.outputs)}, so it has no owners. Deploy or start it again with this version.`,
  );
}
