import type { Client } from '#console/api/client.ts';
import type { ErasedLead, Erasure, Lead, Related, RelatedLead } from '#console/api/types.ts';

export function whySame({ sameEmail, samePhone }: Pick<RelatedLead, 'sameEmail' | 'samePhone'>): string {
  if (sameEmail && samePhone) return 'Same email and phone';
  return sameEmail ? 'Same email' : 'Same phone';
}

interface FormCount {
  readonly formId: string;
  readonly leads: number;
}

/** How many leads have the email address of this one, itself included, by form. */
export function countByForm({ leads }: Related, own: Pick<Lead, 'formId'>): readonly FormCount[] {
  const counts = new Map([[own.formId, 1]]);
  for (const { formId, sameEmail } of leads) {
    if (sameEmail) counts.set(formId, (counts.get(formId) ?? 0) + 1);
  }
  return [...counts].map(([formId, count]) => ({ formId, leads: count }));
}

/** Repeats the request until nothing is left, and reports what each erased. */
export async function erasePerson(
  client: Pick<Client, 'change'>,
  email: string,
  onErased: (erased: readonly ErasedLead[]) => void,
): Promise<void> {
  let cursor: string | undefined;
  for (;;) {
    const response = await client.change<Erasure>('POST', '/settings/people/erase', { email, cursor });
    onErased(response.erased);
    if (response.complete) return;
    cursor = response.cursor;
  }
}

/** The list of what was erased, as CSV. It has no personal data. */
export function erasedAsCsv(erased: readonly ErasedLead[]): string {
  const lines = erased.map(({ submissionId, formId, receivedAt }) =>
    [submissionId, formId, receivedAt].join(),
  );
  return ['submission_id,form_id,received_at', ...lines, ''].join('\r\n');
}
