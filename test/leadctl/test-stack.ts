import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { openStack } from '../../bin/leadctl/open-stack.ts';
import { testOutputsFile } from './run-leadctl.ts';

type Item = Record<string, unknown>;

/** The stack of the test run with things to work on, made by the operations that leadctl itself calls. */
export function openTestStack() {
  const { administration, client, outputs, tables } = openStack(testOutputsFile());

  async function read(table: string, Key: Item): Promise<Item | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item;
  }
  const workspaceItem = (workspaceId: string) => read(tables.workspaces, { workspaceId });

  return {
    administration,
    outputs,
    close: () => client.destroy(),
    workspaceItem,
    configVersion: async (workspaceId: string) => (await workspaceItem(workspaceId))?.configVersion as number,
    formItem: (slug: string, formId: string) => read(tables.forms, { slug, formId }),
    secretItem: (slug: string, formId: string) => read(tables.formSecrets, { slug, formId }),
    tokenItem: (tokenHash: string) => read(tables.tokens, { tokenHash }),
    newForm: async () => {
      const { workspaceId } = await administration.createWorkspace({ name: 'leadctl test' });
      return administration.createForm({ workspaceId, name: 'Contact us' });
    },
  };
}
