import { PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../contract.ts';
import { base62, type IngestToken, type TokenType } from '../model/configuration.ts';
import { hashToken, makeIngestToken } from '../model/ingest-token.ts';
import { AdministrationError, requireName } from '../owner-api/errors.ts';
import type { Finder, Place } from '../owner-api/items-store.ts';
import type { FormAdministration } from './forms-store.ts';
import type { AdministrationContext, WorkspaceAdministration } from './workspaces-store.ts';

interface NewToken {
  readonly formId: string;
  readonly name?: string;
  readonly type?: TokenType;
}

/** What is known of a token once it has been shown. */
export interface TokenRecord {
  readonly tokenId: string;
  readonly formId: string;
  readonly type: TokenType;
  readonly name: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

export function tokenAdministration(
  { client, tables, now, randomBytes }: AdministrationContext,
  workspaces: WorkspaceAdministration,
  forms: FormAdministration,
  find: Finder,
) {
  const place: Place = {
    table: tables.tokens,
    byId: INDEXES.tokensById,
    byWorkspaceAndId: INDEXES.tokensByWorkspace,
    idName: 'tokenId',
    keyNames: ['tokenHash'],
  };

  /** Only this response contains the token: what is stored is its hash. */
  async function createToken({ formId, name = 'server token', type = 'server' }: NewToken) {
    const { slug, workspaceId } = await forms.requireLive(formId);
    const token = makeIngestToken(type, randomBytes(32));
    const record = {
      tokenId: `tok_${base62(randomBytes(16))}`,
      workspaceId,
      slug,
      formId,
      type,
      name: requireName(name, 'a token'),
      lastFour: token.slice(-4),
      createdAt: new Date(now()).toISOString(),
    };
    await client.send(
      new PutCommand({
        TableName: tables.tokens,
        Item: { ...record, tokenHash: hashToken(token), v: 1 },
        ConditionExpression: 'attribute_not_exists(tokenHash)',
      }),
    );
    return { ...record, token };
  }

  async function revokeToken(tokenId: string) {
    const found = await find<IngestToken>(place, tokenId);
    if (!found) throw new AdministrationError('not_found', `Token ${tokenId} not found.`);
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: tables.tokens,
        Key: { tokenHash: found.tokenHash },
        // Revoking twice keeps the first date, and raises the version again: the first try may have been cut short.
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
        ConditionExpression: 'attribute_exists(tokenHash)',
        ExpressionAttributeValues: { ':now': new Date(now()).toISOString() },
        ReturnValues: 'ALL_NEW',
      }),
    );
    await workspaces.raiseConfigVersion(found.workspaceId);
    return { tokenId, workspaceId: found.workspaceId, revokedAt: Attributes?.revokedAt as string };
  }

  /** Oldest first, revoked ones included, without their hashes. One that was made a moment ago may be missing. */
  async function listTokens(workspaceId: string): Promise<TokenRecord[]> {
    const found: TokenRecord[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: tables.tokens,
        IndexName: INDEXES.tokensByWorkspace,
        KeyConditionExpression: 'workspaceId = :workspaceId',
        ProjectionExpression: 'tokenId, formId, #type, #name, lastFour, createdAt, revokedAt',
        ExpressionAttributeNames: { '#name': 'name', '#type': 'type' },
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
      },
    );
    for await (const page of pages) found.push(...((page.Items ?? []) as TokenRecord[]));
    return found.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  return { createToken, revokeToken, listTokens };
}
