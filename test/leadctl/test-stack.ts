import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { openStack } from '../../bin/operator/open-stack.ts';
import { type Lead, toLeadItem } from '../../lambdas/submission/lead-item.ts';
import { testOutputsFile } from './run-leadctl.ts';

type Item = Record<string, unknown>;

/** The stack of the test run with things to work on, made by the operations that leadctl itself calls. */
export function openTestStack() {
  const { administration, client, outputs, queueClient, tables } = openStack(testOutputsFile());

  async function read(table: string, Key: Item): Promise<Item | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item;
  }
  const workspaceItem = (workspaceId: string) => read(tables.workspaces, { workspaceId });

  return {
    administration,
    client,
    outputs,
    queueClient,
    tables,
    close: () => {
      client.destroy();
      queueClient.destroy();
    },
    workspaceItem,
    configVersion: async (workspaceId: string) => (await workspaceItem(workspaceId))?.configVersion as number,
    formItem: (slug: string, formId: string) => read(tables.forms, { slug, formId }),
    secretItem: (slug: string, formId: string) => read(tables.formSecrets, { slug, formId }),
    tokenItem: (tokenHash: string) => read(tables.tokens, { tokenHash }),
    newForm: async () => {
      const { workspaceId } = await administration.createWorkspace({ name: 'leadctl test' });
      return administration.createForm({ workspaceId, name: 'Contact us' });
    },
    /** A form that takes leads on both surfaces. */
    newTenant: async () => {
      const { workspaceId } = await administration.createWorkspace({ name: 'leadctl test' });
      const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
      const [{ secret }, { token, tokenId }] = await Promise.all([
        administration.setSecret({ formId }),
        administration.createToken({ formId }),
      ]);
      return { workspaceId, formId, slug, secret, token, tokenId };
    },
    putLeads: (leads: readonly Lead[]) =>
      Promise.all(
        leads.map((lead) => client.send(new PutCommand({ TableName: tables.leads, Item: toLeadItem(lead) }))),
      ),
  };
}
