import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Form, IngestToken, Workspace } from '../core/configuration.ts';
import type { TokenConfiguration } from '../core/judge-server-token.ts';
import { type Attribution, UNATTRIBUTED } from '../core/rejection.ts';
import { batchGet } from './batch-get.ts';
import type { ConfigurationSource } from './configuration-source.ts';
import type { StoreContext } from './tables.ts';

/** Enough to reject by, and quick to read: what a form has beyond it may be large, and tell a sender that it exists. */
const JUDGED_FORM = ['slug', 'formId', 'workspaceId', 'active'];

/** What the tables say about a token, by its hash. */
export function tokenConfigurations({
  client,
  tables,
}: StoreContext<'tokens' | 'forms' | 'workspaces'>): ConfigurationSource<TokenConfiguration> {
  async function readToken(tokenHash: string, signal: AbortSignal): Promise<IngestToken | undefined> {
    const answer = await client.send(
      new GetCommand({
        TableName: tables.tokens,
        Key: { tokenHash },
        ConsistentRead: true,
        ProjectionExpression: 'tokenHash, tokenId, workspaceId, slug, formId, #type, revokedAt',
        ExpressionAttributeNames: { '#type': 'type' },
      }),
      { abortSignal: signal },
    );
    return answer.Item as IngestToken | undefined;
  }

  const formAddress = (token: IngestToken | undefined, decoy: string) => ({
    table: tables.forms,
    key: { slug: token?.slug ?? decoy, formId: token?.formId ?? decoy },
  });

  return {
    async locate(tokenHash, signal): Promise<Attribution> {
      const token = await readToken(tokenHash, signal);
      return token ? { workspaceIds: [token.workspaceId], formId: token.formId } : UNATTRIBUTED;
    },

    async find(tokenHash, signal) {
      const token = await readToken(tokenHash, signal);
      // An unknown token reads the same tables, under a key that nobody has.
      const [workspace, form] = await batchGet(
        client,
        [
          { table: tables.workspaces, key: { workspaceId: token?.workspaceId ?? tokenHash } },
          { ...formAddress(token, tokenHash), attributes: JUDGED_FORM },
        ],
        signal,
      );
      return { token, workspace: workspace as Workspace | undefined, form: form as Form | undefined };
    },

    async readAgain(tokenHash, { token: before, workspace }, signal) {
      const [token, form] = await batchGet(
        client,
        [{ table: tables.tokens, key: { tokenHash } }, formAddress(before, tokenHash)],
        signal,
      );
      return { token: token as IngestToken | undefined, workspace, form: form as Form | undefined };
    },
  };
}
