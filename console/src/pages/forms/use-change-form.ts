import { useChange } from '../../api/queries.ts';
import type { Form, FormField } from '../../api/types.ts';

export interface FormChanges {
  readonly name?: string;
  readonly active?: boolean;
  readonly retentionDays?: number | null;
  readonly fields?: readonly Partial<FormField>[];
}

export function useChangeForm(formId: string) {
  return useChange<FormChanges, Form>((body) => ({
    method: 'PATCH',
    path: `/settings/forms/${encodeURIComponent(formId)}`,
    body,
  }));
}
