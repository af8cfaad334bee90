import type { WorkspaceContents } from '../../lambdas/operator/workspace-contents-store.ts';
import type { FormRecord } from '../../lambdas/settings/administration/forms-store.ts';
import { Failure } from './failure.ts';
import type { Session } from './session.ts';
import { placeOf } from './stack-outputs.ts';

type Stack = Pick<Session, 'client' | 'tables' | 'outputs'>;

/** Loaded when needed: the SDK takes longer to load than help takes to print. */
export async function openContents({ client, tables }: Stack): Promise<WorkspaceContents> {
  const { makeWorkspaceContents } = await import('../../lambdas/operator/workspace-contents-store.ts');
  return makeWorkspaceContents({ client, tables });
}

export async function requireForm(stack: Stack, formId: string): Promise<FormRecord> {
  const form = await (await openContents(stack)).findForm(formId);
  if (!form) throw notFound('form', formId, stack);
  return form;
}

export async function requireWorkspace(stack: Stack, workspaceId: string): Promise<void> {
  if (!(await (await openContents(stack)).findWorkspace(workspaceId))) {
    throw notFound('workspace', workspaceId, stack);
  }
}

function notFound(kind: string, id: string, { outputs }: Stack): Failure {
  return new Failure(
    'not_found',
    `There is no ${kind} ${id}. Check the id, and that ${placeOf(outputs)} is the stack you mean.`,
  );
}
