import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import { base62 } from '../model/configuration.ts';
import { hashToken } from '../model/ingest-token.ts';
import { AdministrationError, requireName } from '../owner-api/errors.ts';
import { ownersFinder, type Place } from '../owner-api/items-store.ts';
import type { Scope } from '../owner-api/scopes.ts';
import { type ApiKey, makeApiKey } from './api-key.ts';
import { isMadeBy, type KeyMaker } from './made-by.ts';

/** What the authorizer asks about a key on every request. */
export interface ApiKeyLookup {
  find(key: string): Promise<ApiKey | undefined>;
  /** Writes at most once in ten minutes. */
  noteUse(key: ApiKey): Promise<void>;
}

type Clock = { readonly now: () => number };

const BETWEEN_USES_MS = 10 * 60 * 1000;

export function makeApiKeyLookup({ client, tables, now }: StoreContext<'apiKeys'> & Clock): ApiKeyLookup {
  return {
    async find(key) {
      // Consistent: a revocation applies to the next request.
      const { Item } = await client.send(
        new GetCommand({ TableName: tables.apiKeys, Key: { keyHash: hashToken(key) }, ConsistentRead: true }),
      );
      return Item as ApiKey | undefined;
    },

    async noteUse({ keyHash, lastUsedAt }) {
      const before = new Date(now() - BETWEEN_USES_MS).toISOString();
      if (lastUsedAt !== undefined && lastUsedAt > before) return;
      const command = new UpdateCommand({
        TableName: tables.apiKeys,
        Key: { keyHash },
        UpdateExpression: 'SET lastUsedAt = :now',
        ConditionExpression:
          'attribute_exists(keyHash) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :before)',
        ExpressionAttributeValues: { ':now': new Date(now()).toISOString(), ':before': before },
      });
      await client.send(command).catch((error: unknown) => {
        // Another request was first, or the workspace is gone.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
  };
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  readonly createdById: string;
}

/** The keys of one workspace and no other. */
export type ApiKeys = ReturnType<ReturnType<typeof makeApiKeys>>;

/** Keys that are not revoked, per workspace. */
export const MAX_API_KEYS = 50;

interface Context extends StoreContext<'apiKeys'>, Clock {
  readonly randomBytes: (count: number) => Uint8Array;
}

export function makeApiKeys({ client, tables, now, randomBytes }: Context) {
  const place: Place = {
    table: tables.apiKeys,
    // Keys are only looked up within their workspace.
    byId: INDEXES.apiKeysByWorkspace,
    byWorkspaceAndId: INDEXES.apiKeysByWorkspace,
    idName: 'keyId',
    keyNames: ['keyHash'],
  };

  return function apiKeysOf(workspaceId: string) {
    const find = ownersFinder(client, workspaceId);

    /** Oldest first, revoked ones included. One that was made a moment ago may be missing. */
    async function list(): Promise<ApiKey[]> {
      const found: ApiKey[] = [];
      const pages = paginateQuery(
        { client },
        {
          TableName: tables.apiKeys,
          IndexName: INDEXES.apiKeysByWorkspace,
          KeyConditionExpression: 'workspaceId = :workspaceId',
          ExpressionAttributeValues: { ':workspaceId': workspaceId },
        },
      );
      for await (const { Items = [] } of pages) found.push(...(Items as ApiKey[]));
      return found.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    }

    /** Revoking twice keeps the first date. */
    async function revokeKey({ keyHash }: Pick<ApiKey, 'keyHash'>): Promise<ApiKey> {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: tables.apiKeys,
          Key: { keyHash },
          UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
          ConditionExpression: 'attribute_exists(keyHash)',
          ExpressionAttributeValues: { ':now': new Date(now()).toISOString() },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return Attributes as ApiKey;
    }

    return {
      list,
      revokeKey,

      /** Those that still work. One that was made a moment ago may be missing. */
      async madeBy(maker: KeyMaker): Promise<ApiKey[]> {
        return (await list()).filter((key) => key.revokedAt === undefined && isMadeBy(key, maker));
      },

      /** Only this response contains the key: what is stored is its hash. */
      async create({ name, scopes, createdBy, createdById }: NewApiKey) {
        const active = (await list()).filter(({ revokedAt }) => revokedAt === undefined);
        if (active.length >= MAX_API_KEYS) {
          const message = `A workspace can have ${MAX_API_KEYS} API keys. Revoke one first.`;
          throw new AdministrationError('conflict', message);
        }
        const apiKey = makeApiKey(randomBytes(32));
        const record: ApiKey = {
          keyHash: hashToken(apiKey),
          keyId: `key_${base62(randomBytes(16))}`,
          workspaceId,
          name: requireName(name, 'an API key'),
          scopes,
          createdAt: new Date(now()).toISOString(),
          createdBy,
          createdById,
        };
        await client.send(
          new PutCommand({
            TableName: tables.apiKeys,
            Item: { ...record, v: 1 },
            ConditionExpression: 'attribute_not_exists(keyHash)',
          }),
        );
        return { record, apiKey };
      },

      async revoke(keyId: string): Promise<{ keyId: string; revokedAt: string }> {
        const found = await find<ApiKey>(place, keyId);
        if (!found) throw new AdministrationError('not_found', `API key ${keyId} not found.`);
        const { revokedAt } = await revokeKey(found);
        return { keyId, revokedAt: revokedAt as string };
      },
    };
  };
}
