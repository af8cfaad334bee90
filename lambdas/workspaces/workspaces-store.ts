import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { base62, type Workspace } from '../model/configuration.ts';
import { AdministrationError, requireName } from '../owner-api/errors.ts';
import { revise } from '../owner-api/revise.ts';

export interface AdministrationContext
  extends StoreContext<'workspaces' | 'forms' | 'formSecrets' | 'tokens'> {
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

export interface WorkspaceRecord extends Workspace {
  readonly name: string;
  readonly createdAt: string;
}

export type WorkspaceAdministration = ReturnType<typeof workspaceAdministration>;

export function workspaceAdministration({ client, tables, now, randomBytes }: AdministrationContext) {
  const table = tables.workspaces;
  const notFound = (workspaceId: string) =>
    new AdministrationError('not_found', `Workspace ${workspaceId} not found.`);

  async function create({ name }: { name: string }): Promise<WorkspaceRecord> {
    const workspace: WorkspaceRecord = {
      workspaceId: `ws_${base62(randomBytes(16))}`,
      name: requireName(name, 'a workspace'),
      status: 'active',
      configVersion: 1,
      createdAt: new Date(now()).toISOString(),
    };
    await client.send(
      new PutCommand({
        TableName: table,
        Item: { ...workspace, v: 1 },
        ConditionExpression: 'attribute_not_exists(workspaceId)',
      }),
    );
    return workspace;
  }

  /** A scan: operators list workspaces by hand, and no function does. */
  async function list(): Promise<WorkspaceRecord[]> {
    const found: WorkspaceRecord[] = [];
    const pages = paginateScan(
      { client },
      {
        TableName: table,
        // Not the sender lists and what was learned, which are beside the workspaces.
        FilterExpression: 'attribute_exists(#status)',
        ProjectionExpression: 'workspaceId, #name, #status, configVersion, createdAt',
        ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
      },
    );
    for await (const page of pages) found.push(...((page.Items ?? []) as WorkspaceRecord[]));
    return found.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  async function requireExisting(workspaceId: string): Promise<WorkspaceRecord> {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: { workspaceId }, ConsistentRead: true }),
    );
    if (!Item) throw notFound(workspaceId);
    return Item as WorkspaceRecord;
  }

  /**
   * An attribute and the version are in one item, so this is one write. Every change raises the version, which shows
   * whether the attribute is still the one that was read. Undefined removes it.
   */
  async function set<Name extends 'status' | 'learningOff'>(
    workspaceId: string,
    name: Name,
    value: Workspace[Name],
  ): Promise<number> {
    const change = value === undefined ? 'REMOVE #name' : 'SET #name = :value';
    return revise(
      () => requireExisting(workspaceId),
      async (seen) => {
        const { Attributes } = await client.send(
          new UpdateCommand({
            TableName: table,
            Key: { workspaceId },
            UpdateExpression: `${change} ADD configVersion :one`,
            ConditionExpression: 'configVersion = :seen',
            ExpressionAttributeNames: { '#name': name },
            // Undefined values are left out by the client.
            ExpressionAttributeValues: { ':one': 1, ':value': value, ':seen': seen.configVersion },
            ReturnValues: 'UPDATED_NEW',
          }),
        );
        return Attributes?.configVersion as number;
      },
    );
  }

  async function setStatus(workspaceId: string, status: Workspace['status']) {
    return { workspaceId, status, configVersion: await set(workspaceId, 'status', status) };
  }

  async function raiseConfigVersion(workspaceId: string): Promise<void> {
    try {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { workspaceId },
          UpdateExpression: 'ADD configVersion :one',
          ConditionExpression: 'attribute_exists(workspaceId)',
          ExpressionAttributeValues: { ':one': 1 },
        }),
      );
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) throw notFound(workspaceId);
      throw error;
    }
  }

  return {
    create,
    list,
    requireExisting,
    suspend: (workspaceId: string) => setStatus(workspaceId, 'suspended'),
    resume: (workspaceId: string) => setStatus(workspaceId, 'active'),
    /** Whether verdicts change the scores of later leads. */
    async setLearning(workspaceId: string, enabled: boolean): Promise<void> {
      await set(workspaceId, 'learningOff', enabled ? undefined : true);
    },
    raiseConfigVersion,
  };
}
