import type { ListedForm } from '../administration/forms.ts';
import { batchGet } from '../batch-get.ts';
import type { StoreContext } from '../tables.ts';

/** What may be told of a form's secrets. The dates come and go with the secrets themselves. */
export interface SecretDates {
  readonly setAt: string;
  readonly previousEndsAtMilliseconds?: number;
}

export interface SecretDatesReader {
  /** In the order given; undefined for a form without a secret. The secrets themselves are not read. */
  read(
    forms: readonly Pick<ListedForm, 'slug' | 'formId'>[],
    signal: AbortSignal,
  ): Promise<(SecretDates | undefined)[]>;
}

/** A batch takes 100 keys. */
const FORMS_IN_A_BATCH = 100;
const ATTRIBUTES = ['slug', 'formId', 'setAt', 'previousEndsAtMilliseconds'];

export function makeSecretDates({ client, tables }: StoreContext<'formSecrets'>): SecretDatesReader {
  return {
    async read(forms, signal) {
      const addresses = forms.map(({ slug, formId }) => ({
        table: tables.formSecrets,
        key: { slug, formId },
        attributes: ATTRIBUTES,
      }));
      const batches: Promise<(Record<string, unknown> | undefined)[]>[] = [];
      for (let from = 0; from < addresses.length; from += FORMS_IN_A_BATCH) {
        const batch = addresses.slice(from, from + FORMS_IN_A_BATCH);
        batches.push(batchGet(client, batch, signal));
      }
      return (await Promise.all(batches)).flat() as (SecretDates | undefined)[];
    },
  };
}
