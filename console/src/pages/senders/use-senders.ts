import { useChange } from '../../api/queries.ts';
import type { ListedSender } from '../../api/types.ts';

interface SenderChange {
  readonly sender: string;
  /** Null removes the sender. */
  readonly status: ListedSender['status'] | null;
}

export function usePutSender() {
  return useChange<SenderChange, unknown>((body) => ({ method: 'PUT', path: '/settings/senders', body }));
}
