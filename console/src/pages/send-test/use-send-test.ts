import type { signTest } from '#settings/routes/test.ts';
import { useChange } from '../../api/queries.ts';

/** What was sent, and what came of it. */
export interface Test {
  readonly sent: ReturnType<typeof signTest>['sent'];
  readonly outcome: 'accepted' | 'rejected' | 'unreachable';
  readonly submissionId?: string;
  readonly requestId?: string;
  readonly status?: number;
  readonly milliseconds: number;
}

export function useSendTest(formId: string) {
  return useChange<{ readonly body: Readonly<Record<string, unknown>> }, Test>((body) => ({
    method: 'POST',
    path: `/settings/forms/${encodeURIComponent(formId)}/test`,
    body,
  }));
}
