import { useRead } from '../../api/queries.ts';
import type { Delivery } from '../../api/types.ts';

const REFRESH_MS = 30_000;

export function deliveryPath(formId: string): string {
  return `/settings/forms/${encodeURIComponent(formId)}/delivery`;
}

/** Refetched while open, since it shows whether the previous secret is still in use. */
export function useDelivery(formId: string) {
  return useRead<Delivery>(deliveryPath(formId), {}, { refetchInterval: REFRESH_MS });
}
