import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type ItemAddress, type StoreContext } from '../aws/dynamodb.ts';
import type { Form, FormSecret, IngestToken, Workspace } from '../model/configuration.ts';
import { type Learned, learnedKey } from '../model/learned.ts';
import { type Attribution, UNATTRIBUTED } from '../model/reasons.ts';
import { type SenderList, sendersKey } from '../model/senders.ts';
import type { TokenConfiguration } from './server-token.ts';
import type { SlugConfiguration } from './signed-request.ts';

/**
 * How configuration is read, strongly consistent. It is read twice to get the order "version, then record": a record
 * may only be trusted with a `configVersion` that was read before it.
 *
 *     find         records ──> workspace (version)     finds the owner; good enough to reject
 *     readAgain                          records       good enough to accept, with that version; also what scoring needs
 *
 * Record first and version second would accept a token that was revoked in between, with the new version.
 */
export interface ConfigurationSource<Configuration extends { workspace?: Workspace | undefined }> {
  /** The owner of a request that is already known to be rejected. */
  locate(key: string, signal: AbortSignal): Promise<Attribution>;
  find(key: string, signal: AbortSignal): Promise<Configuration>;
  readAgain(key: string, found: Configuration, signal: AbortSignal): Promise<Configuration>;
}

/**
 * Enough to reject. Reading a form's fields, perhaps a hundred, takes time, which would reveal that the form exists.
 */
const ATTRIBUTES_TO_JUDGE = {
  form: 'slug, formId, workspaceId, active',
  secret: 'slug, formId, secret, previousSecret, previousEndsAtMilliseconds',
};

/** Reads the forms of a slug, their secrets, and the workspace. */
export function slugConfigurations(
  { client, tables }: StoreContext<'forms' | 'formSecrets' | 'workspaces'>,
  attributes = ATTRIBUTES_TO_JUDGE,
): ConfigurationSource<SlugConfiguration> {
  async function queryBySlug<Item>(
    table: string,
    slug: string,
    signal: AbortSignal,
    ProjectionExpression?: string,
  ): Promise<Item[]> {
    const response = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'slug = :slug',
        ExpressionAttributeValues: { ':slug': slug },
        ConsistentRead: true,
        ProjectionExpression,
      }),
      { abortSignal: signal },
    );
    return (response.Items ?? []) as Item[];
  }

  return {
    async locate(slug, signal) {
      const forms = await queryBySlug<Form>(tables.forms, slug, signal, attributes.form);
      const workspaceIds = [...new Set(forms.map(({ workspaceId }) => workspaceId))];
      const formId = forms.length === 1 ? forms[0]?.formId : undefined;
      return formId === undefined ? { workspaceIds } : { workspaceIds, formId };
    },

    async find(slug, signal) {
      const [forms, secrets] = await Promise.all([
        queryBySlug<Form>(tables.forms, slug, signal, attributes.form),
        queryBySlug<FormSecret>(tables.formSecrets, slug, signal, attributes.secret),
      ]);
      const response = await client.send(
        new GetCommand({
          TableName: tables.workspaces,
          // For an unknown slug, the same tables are read, with a key that does not exist.
          Key: { workspaceId: forms[0]?.workspaceId ?? slug },
          ConsistentRead: true,
        }),
        { abortSignal: signal },
      );
      return { forms, secrets, workspace: response.Item as Workspace | undefined };
    },

    // The form and the workspace are known by now, so that the secret and the rest come in one call.
    async readAgain(slug, { forms: [before], workspace }, signal) {
      const [forms, [secret, ...beside]] = await Promise.all([
        queryBySlug<Form>(tables.forms, slug, signal),
        batchGet(
          client,
          [
            { table: tables.formSecrets, key: { slug, formId: before?.formId ?? slug } },
            ...besideWorkspace(tables.workspaces, workspace?.workspaceId ?? slug),
          ],
          signal,
        ),
      ]);
      return {
        forms,
        secrets: [secret as FormSecret | undefined].filter((each) => each !== undefined),
        workspace,
        ...readBeside(beside, workspace),
      };
    },
  };
}

/** What the workspace's own item has no room for: the list of senders, and what was learned from verdicts. */
export function besideWorkspace(table: string, workspaceId: string): ItemAddress[] {
  return [sendersKey(workspaceId), learnedKey(workspaceId)].map((key) => ({ table, key }));
}

type Item = Readonly<Record<string, unknown>> | undefined;

export function readBeside(
  [list, learned]: readonly Item[],
  workspace: Workspace | undefined,
): Pick<TokenConfiguration, 'senders' | 'learned'> {
  return {
    senders: list?.senders as SenderList | undefined,
    // After learning is turned off, the item stays for a moment. A later release may have written another version.
    learned: workspace?.learningOff || learned?.v !== 1 ? undefined : (learned.learned as Learned),
  };
}

/** Enough to reject. The rest of a form may be large, and reading it would reveal that the form exists. */
const FORM_ATTRIBUTES = ['slug', 'formId', 'workspaceId', 'active'];

/** Reads a token by its hash, its form and its workspace. */
export function tokenConfigurations({
  client,
  tables,
}: StoreContext<'tokens' | 'forms' | 'workspaces'>): ConfigurationSource<TokenConfiguration> {
  async function readToken(tokenHash: string, signal: AbortSignal): Promise<IngestToken | undefined> {
    const response = await client.send(
      new GetCommand({
        TableName: tables.tokens,
        Key: { tokenHash },
        ConsistentRead: true,
        ProjectionExpression: 'tokenHash, tokenId, workspaceId, slug, formId, #type, revokedAt',
        ExpressionAttributeNames: { '#type': 'type' },
      }),
      { abortSignal: signal },
    );
    return response.Item as IngestToken | undefined;
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
      // For an unknown token, the same tables are read, with a key that does not exist.
      const [workspace, form] = await batchGet(
        client,
        [
          { table: tables.workspaces, key: { workspaceId: token?.workspaceId ?? tokenHash } },
          { ...formAddress(token, tokenHash), attributes: FORM_ATTRIBUTES },
        ],
        signal,
      );
      return { token, workspace: workspace as Workspace | undefined, form: form as Form | undefined };
    },

    async readAgain(tokenHash, { token: before, workspace }, signal) {
      const [token, form, ...beside] = await batchGet(
        client,
        [
          { table: tables.tokens, key: { tokenHash } },
          formAddress(before, tokenHash),
          ...besideWorkspace(tables.workspaces, workspace?.workspaceId ?? tokenHash),
        ],
        signal,
      );
      return {
        token: token as IngestToken | undefined,
        workspace,
        form: form as Form | undefined,
        ...readBeside(beside, workspace),
      };
    },
  };
}
