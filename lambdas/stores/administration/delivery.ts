import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { FormSecret } from '../../core/configuration.ts';
import { batchGet } from '../batch-get.ts';
import type { AdministrationContext } from './context.ts';
import type { FormAdministration, FormRecord } from './forms.ts';
import type { Revised } from './revise.ts';

export interface StoredSecret extends FormSecret, Revised {
  readonly setAt: string;
  /** Made by a rotation that has not been answered. */
  readonly unshown?: true;
}

/** A batch takes 100 keys. */
const SECRETS_IN_A_BATCH = 100;
/** What the debugger tries at most, the newest forms first. */
const MOST_OTHERS = 300;

/** Reads secrets, for the debugger and to tell whether there is one. What leaves the service is up to the caller. */
export function deliveryAdministration(
  { client, tables }: Pick<AdministrationContext, 'client' | 'tables'>,
  forms: FormAdministration,
) {
  async function readSecret({ slug, formId }: FormRecord): Promise<StoredSecret | undefined> {
    const Key = { slug, formId };
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.formSecrets, Key, ConsistentRead: true }),
    );
    return Item as StoredSecret | undefined;
  }

  /** The secrets of all other forms of the workspace, also of archived ones: an old setting is a likely mistake. */
  async function otherSecrets(form: FormRecord, signal: AbortSignal): Promise<FormSecret[]> {
    const others = (await forms.list(form.workspaceId, 'all'))
      .filter(({ formId }) => formId !== form.formId)
      .reverse()
      .slice(0, MOST_OTHERS);
    const found: FormSecret[] = [];
    for (let from = 0; from < others.length; from += SECRETS_IN_A_BATCH) {
      const addresses = others
        .slice(from, from + SECRETS_IN_A_BATCH)
        .map(({ slug, formId }) => ({ table: tables.formSecrets, key: { slug, formId } }));
      const items = await batchGet(client, addresses, signal);
      found.push(...(items as (FormSecret | undefined)[]).filter((item) => item !== undefined));
    }
    return found;
  }

  return { readSecret, otherSecrets };
}
