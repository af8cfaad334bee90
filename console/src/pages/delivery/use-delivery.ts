import { useRead } from '../../api/queries.ts';
import type { Delivery } from '../../api/types.ts';

const REFRESH_MS = 30_000;

export function deliveryPath(formId: string): string {
  return `/settings/forms/${encodeURIComponent(formId)}/delivery`;
}

/** Read anew while the page is open: it shows whether the old secret is still in use. */
export function useDelivery(formId: string) {
  return useRead<Delivery>(deliveryPath(formId), {}, { refetchInterval: REFRESH_MS });
}
