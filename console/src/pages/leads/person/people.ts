import type { Client } from '#console/api/client.ts';
import type { ErasedLead, Erasure, Lead, Related, RelatedLead, Request } from '#console/api/types.ts';

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

/** Repeats the request while it erases, and reports what each erased. Returns the last response: all done, or why not. */
export async function erasePerson(
  client: Pick<Client, 'change'>,
  request: Request<'erasePerson'>,
  onErased: (erased: readonly ErasedLead[]) => void,
): Promise<Erasure> {
  let { cursor } = request;
  for (;;) {
    const body: Request<'erasePerson'> = { ...request, cursor };
    const response = await client.change<Erasure>('POST', '/settings/people/erase', body);
    onErased(response.erased);
    if (response.reason !== 'more') return response;
    cursor = response.cursor;
  }
}

/** What to do if an erasure is not complete, besides deciding about leads that mention the address. */
export function unfinishedText(reason: Erasure['reason']): string | undefined {
  if (reason === 'indexing') {
    return 'A lead that arrived shortly before may not be listed yet. Check again in a minute.';
  }
  if (reason === 'dead_letters') {
    return 'Some leads could not be listed because of an error, and one from this person may be among them. Ask the operator of this service to process the dead letters, then check again.';
  }
  return undefined;
}

/** The list of what was erased, as CSV. It has no personal data. */
export function erasedAsCsv(erased: readonly ErasedLead[]): string {
  const lines = erased.map(({ submissionId, formId, receivedAt }) =>
    [submissionId, formId, receivedAt].join(),
  );
  return ['submission_id,form_id,received_at', ...lines, ''].join('\r\n');
}
