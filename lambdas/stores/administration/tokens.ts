import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../contract.ts';
import { base62 } from '../../core/base62.ts';
import type { IngestToken } from '../../core/configuration.ts';
import { hashToken, makeIngestToken, type TokenType } from '../../core/ingest-token.ts';
import { AdministrationError, requireName } from './administration-error.ts';
import type { AdministrationContext } from './context.ts';
import { findById } from './find-by-id.ts';
import type { FormAdministration } from './forms.ts';
import type { WorkspaceAdministration } from './workspaces.ts';

interface NewToken {
  readonly formId: string;
  readonly name?: string;
  readonly type?: TokenType;
}

export function tokenAdministration(
  { client, tables, now, randomBytes }: AdministrationContext,
  workspaces: WorkspaceAdministration,
  forms: FormAdministration,
) {
  /** The token itself is in this answer and nowhere else: only its hash is stored. */
  async function createToken({ formId, name = 'server token', type = 'server' }: NewToken) {
    const { slug, workspaceId } = await forms.require(formId);
    const token = makeIngestToken(type, randomBytes(32));
    const record = {
      tokenId: `tok_${base62(randomBytes(16))}`,
      workspaceId,
      slug,
      formId,
      type,
      name: requireName(name, 'token'),
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
    const at = {
      table: tables.tokens,
      index: INDEXES.tokensById,
      idName: 'tokenId',
      keyNames: ['tokenHash'],
    };
    const found = await findById<IngestToken>(client, at, tokenId);
    if (!found) throw new AdministrationError('not_found', `There is no token ${tokenId}.`);
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

  return { createToken, revokeToken };
}
