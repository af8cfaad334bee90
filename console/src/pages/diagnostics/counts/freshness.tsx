import Box from '@cloudscape-design/components/box';
import type { Diagnostics } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';

/** Counts follow a stream, so they lag behind. */
export function Freshness({ of: { newestAt, newestCountedAt } }: { readonly of: Diagnostics }) {
  return (
    <Box color="text-body-secondary">
      Counts and recent events are usually a few seconds behind.
      {newestAt !== null && newestCountedAt !== null && (
        <>
          {' '}
          Newest rejection: <Moment at={newestAt} />, counted {delay(newestAt, newestCountedAt)}.
        </>
      )}
    </Box>
  );
}

export function delay(at: string, countedAt: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(countedAt) - Date.parse(at)) / 1000));
  if (seconds < 1) return 'within a second';
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'} later`;
  return `${Math.round(seconds / 60)} minutes later`;
}
