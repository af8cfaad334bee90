import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Form, FormSecret, Workspace } from '../core/configuration.ts';
import type { SlugConfiguration } from '../core/judge-signed-request.ts';
import type { ConfigurationSource } from './configuration-source.ts';
import type { StoreContext } from './tables.ts';

/**
 * Enough to reject by. A form may have a hundred fields: to read them takes time, by which a sender could tell that the
 * form exists.
 */
const JUDGED = {
  form: 'slug, formId, workspaceId, active',
  secret: 'slug, formId, secret, previousSecret, previousEndsAtMilliseconds',
};

/** What the tables say about a slug: the forms that have it, their secrets, and the workspace. */
export function slugConfigurations({
  client,
  tables,
}: StoreContext<'forms' | 'formSecrets' | 'workspaces'>): ConfigurationSource<SlugConfiguration> {
  async function queryBySlug<Item>(
    table: string,
    slug: string,
    signal: AbortSignal,
    ProjectionExpression?: string,
  ): Promise<Item[]> {
    const answer = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'slug = :slug',
        ExpressionAttributeValues: { ':slug': slug },
        ConsistentRead: true,
        ProjectionExpression,
      }),
      { abortSignal: signal },
    );
    return (answer.Items ?? []) as Item[];
  }

  async function readRecords(slug: string, signal: AbortSignal, only: Partial<typeof JUDGED> = {}) {
    const [forms, secrets] = await Promise.all([
      queryBySlug<Form>(tables.forms, slug, signal, only.form),
      queryBySlug<FormSecret>(tables.formSecrets, slug, signal, only.secret),
    ]);
    return { forms, secrets };
  }

  return {
    async locate(slug, signal) {
      const forms = await queryBySlug<Form>(tables.forms, slug, signal, JUDGED.form);
      const workspaceIds = [...new Set(forms.map(({ workspaceId }) => workspaceId))];
      const formId = forms.length === 1 ? forms[0]?.formId : undefined;
      return formId === undefined ? { workspaceIds } : { workspaceIds, formId };
    },

    async find(slug, signal) {
      const records = await readRecords(slug, signal, JUDGED);
      const answer = await client.send(
        new GetCommand({
          TableName: tables.workspaces,
          // An unknown slug reads the same tables, under a key that nobody has.
          Key: { workspaceId: records.forms[0]?.workspaceId ?? slug },
          ConsistentRead: true,
        }),
        { abortSignal: signal },
      );
      return { ...records, workspace: answer.Item as Workspace | undefined };
    },

    async readAgain(slug, { workspace }, signal) {
      return { ...(await readRecords(slug, signal)), workspace };
    },
  };
}
