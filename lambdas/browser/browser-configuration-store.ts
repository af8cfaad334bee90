import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import type { Form, Workspace } from '../model/configuration.ts';
import { besideWorkspace, type ConfigurationSource, readBeside } from '../submission/configuration-store.ts';
import type { SigningKey } from './browser-token.ts';
import type { BrowserConfiguration } from './judge-browser-request.ts';

export interface BrowserConfigurationContext extends StoreContext<'forms' | 'workspaces'> {
  readonly readKeys: () => Promise<readonly SigningKey[]>;
}

/** Enough to reject. The rest of a form may be large, and reading it would reveal that the form exists. */
const ATTRIBUTES_TO_JUDGE = 'slug, formId, workspaceId, active, browser';

/** Reads the forms of a slug, their workspace and the service's keys: the version first, then the configuration. */
export function browserConfigurations({
  client,
  tables,
  readKeys,
}: BrowserConfigurationContext): ConfigurationSource<BrowserConfiguration> {
  async function formsOf(slug: string, signal: AbortSignal, ProjectionExpression?: string): Promise<Form[]> {
    const response = await client.send(
      new QueryCommand({
        TableName: tables.forms,
        KeyConditionExpression: 'slug = :slug',
        ExpressionAttributeValues: { ':slug': slug },
        ConsistentRead: true,
        ProjectionExpression,
      }),
      { abortSignal: signal },
    );
    return (response.Items ?? []) as Form[];
  }

  return {
    async locate(slug, signal) {
      const forms = await formsOf(slug, signal, ATTRIBUTES_TO_JUDGE);
      const workspaceIds = [...new Set(forms.map(({ workspaceId }) => workspaceId))];
      const formId = forms.length === 1 ? forms[0]?.formId : undefined;
      return formId === undefined ? { workspaceIds } : { workspaceIds, formId };
    },

    async find(slug, signal) {
      const [forms, keys] = await Promise.all([formsOf(slug, signal, ATTRIBUTES_TO_JUDGE), readKeys()]);
      const response = await client.send(
        new GetCommand({
          TableName: tables.workspaces,
          // For an unknown slug, the same tables are read, with a key that does not exist.
          Key: { workspaceId: forms[0]?.workspaceId ?? slug },
          ConsistentRead: true,
        }),
        { abortSignal: signal },
      );
      return { forms, keys, workspace: response.Item as Workspace | undefined };
    },

    async readAgain(slug, { keys, workspace }, signal) {
      const [forms, beside] = await Promise.all([
        formsOf(slug, signal),
        batchGet(client, besideWorkspace(tables.workspaces, workspace?.workspaceId ?? slug), signal),
      ]);
      return { forms, keys, workspace, ...readBeside(beside, workspace) };
    },
  };
}
