import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { describe } from '#console/api/problem.ts';

interface UncheckedProps {
  readonly failed: readonly { readonly error: unknown; readonly isFetching: boolean; refetch(): unknown }[];
  /** Whether anything at all could be checked, and whether something was found in it. */
  readonly isNothing: boolean;
  readonly hasFound: boolean;
}

/** Says what the list above it cannot stand for. */
export function Unchecked({ failed, isNothing, hasFound }: UncheckedProps) {
  return (
    <SpaceBetween size="m">
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <StatusIndicator type={isNothing ? 'error' : 'warning'}>
          {isNothing ? 'Nothing could be checked.' : 'Not everything could be checked.'}
        </StatusIndicator>
        <Button
          variant="inline-link"
          loading={failed.some(({ isFetching }) => isFetching)}
          onClick={() => failed.forEach(({ refetch }) => void refetch())}
        >
          Check again
        </Button>
      </SpaceBetween>
      {isNothing && <Box>{describe(failed[0]?.error)}</Box>}
      {!isNothing && !hasFound && <Box>What could be checked is well.</Box>}
    </SpaceBetween>
  );
}
