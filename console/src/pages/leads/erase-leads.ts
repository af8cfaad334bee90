import type { Client } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';

/** Deletes leads one by one and reports progress. A missing lead counts as deleted. Stops at the first error. */
export async function eraseLeads(
  client: Pick<Client, 'change'>,
  submissionIds: readonly string[],
  onErased: (count: number) => void,
): Promise<void> {
  for (const [index, submissionId] of submissionIds.entries()) {
    try {
      await client.change('DELETE', `/settings/leads/${encodeURIComponent(submissionId)}`);
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 404)) throw error;
    }
    onErased(index + 1);
  }
}
