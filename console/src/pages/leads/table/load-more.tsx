import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { describe } from '#console/api/problem.ts';
import type { useLeadPages } from './use-lead-pages.ts';

/** Under the table: the way to older leads, or what kept them from coming. */
export function LoadMore({ leads }: { readonly leads: ReturnType<typeof useLeadPages> }) {
  const more = () => void leads.fetchNextPage();
  if (leads.error) {
    const again = leads.isFetchNextPageError ? more : () => void leads.refetch();
    return (
      <Alert type="error" action={<Button onClick={again}>Try again</Button>}>
        {describe(leads.error)}
      </Alert>
    );
  }
  if (!leads.hasNextPage) return null;
  const isEmpty = leads.data?.pages.every(({ rows }) => rows.length === 0);
  return (
    <Box textAlign="center">
      <Button loading={leads.isFetchingNextPage} loadingText="Loading older leads" onClick={more}>
        {isEmpty ? 'Look further back' : 'Load more'}
      </Button>
    </Box>
  );
}
