import { GetCommand, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import type { FormSecret, IngestToken, Workspace } from '../model/configuration.ts';
import { hashToken } from '../model/ingest-token.ts';
import { operatorsFinder } from '../owner-api/items-store.ts';
import type { FormRecord } from '../workspaces/forms-store.ts';

export interface TokenRecord extends IngestToken {
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: string;
}

/** As many keys as one batch reads. */
const SECRETS_AT_ONCE = 100;

export type WorkspaceContents = ReturnType<typeof makeWorkspaceContents>;

/** What belongs to a workspace, as operators look it up. No function does: lists are read by an eventual index. */
export function makeWorkspaceContents({
  client,
  tables,
}: StoreContext<'workspaces' | 'forms' | 'formSecrets' | 'tokens'>) {
  async function listByWorkspace<Item>(table: string, index: string, workspaceId: string): Promise<Item[]> {
    const found: Item[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: index,
        KeyConditionExpression: 'workspaceId = :workspaceId',
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
      },
    );
    for await (const { Items = [] } of pages) found.push(...(Items as Item[]));
    return found;
  }

  async function findWorkspace(workspaceId: string): Promise<Workspace | undefined> {
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.workspaces, Key: { workspaceId }, ConsistentRead: true }),
    );
    return Item as Workspace | undefined;
  }

  function findForm(formId: string): Promise<FormRecord | undefined> {
    const indexes = { byId: INDEXES.formsById, byWorkspaceAndId: INDEXES.formsByWorkspace };
    const at = { table: tables.forms, ...indexes, idName: 'formId', keyNames: ['slug', 'formId'] };
    return operatorsFinder(client)<FormRecord>(at, formId);
  }

  async function findFormsBySlug(slug: string): Promise<FormRecord[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tables.forms,
        KeyConditionExpression: 'slug = :slug',
        ExpressionAttributeValues: { ':slug': slug },
        ConsistentRead: true,
      }),
    );
    return Items as FormRecord[];
  }

  async function findToken(token: string): Promise<IngestToken | undefined> {
    const Key = { tokenHash: hashToken(token) };
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.tokens, Key, ConsistentRead: true }),
    );
    return Item as IngestToken | undefined;
  }

  /** In the order of the forms; undefined for a form that has none. */
  async function readSecrets(
    forms: readonly Pick<FormRecord, 'slug' | 'formId'>[],
    signal: AbortSignal,
  ): Promise<(FormSecret | undefined)[]> {
    const secrets: (FormSecret | undefined)[] = [];
    for (let from = 0; from < forms.length; from += SECRETS_AT_ONCE) {
      const addresses = forms
        .slice(from, from + SECRETS_AT_ONCE)
        .map(({ slug, formId }) => ({ table: tables.formSecrets, key: { slug, formId } }));
      secrets.push(...((await batchGet(client, addresses, signal)) as typeof secrets));
    }
    return secrets;
  }

  return {
    findWorkspace,
    findForm,
    findFormsBySlug,
    findToken,
    readSecrets,
    listForms: (workspaceId: string) =>
      listByWorkspace<FormRecord>(tables.forms, INDEXES.formsByWorkspace, workspaceId),
    listTokens: (workspaceId: string) =>
      listByWorkspace<TokenRecord>(tables.tokens, INDEXES.tokensByWorkspace, workspaceId),
  };
}
