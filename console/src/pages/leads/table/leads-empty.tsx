import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useLocation } from 'wouter';
import { errorMessage } from '#console/api/problem.ts';
import type { Form } from '#console/api/types.ts';
import { Empty } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';
import type { useLeadPages } from '../use-leads.ts';

interface LeadsEmptyProps {
  readonly form: Form;
  readonly isFiltered: boolean;
  readonly mayHaveMore: boolean;
  readonly onClear: () => void;
}

export function LeadsEmpty({ form, isFiltered, mayHaveMore, onClear }: LeadsEmptyProps) {
  const [, go] = useLocation();
  const clear = <Button onClick={onClear}>Clear filter</Button>;
  if (mayHaveMore) {
    return (
      <Empty title="No matches yet" action={isFiltered && clear}>
        {' '}
        The most recent leads don’t match. Older leads might.
      </Empty>
    );
  }
  if (isFiltered) {
    return (
      <Empty title="No leads match" action={clear}>
        Try changing or clearing the filter.
      </Empty>
    );
  }
  if (form.archivedAt !== undefined) return <Empty title="No leads">This form is archived.</Empty>;
  const address = encodeURIComponent(form.formId);
  return (
    <Empty
      title="No leads yet"
      action={
        <div>
          <Button onClick={() => go(`/send-test?form=${address}`)}> Send test </Button>{' '}
          <Link href={`/forms/${address}/delivery`}>Delivery settings</Link>
        </div>
      }
    >
      Send a test lead, or connect a sender in Delivery settings.
    </Empty>
  );
}

/** Loads older leads, or shows the error. */
export function LoadMore({ leads }: { readonly leads: ReturnType<typeof useLeadPages> }) {
  const more = () => void leads.fetchNextPage();
  if (leads.error) {
    const again = leads.isFetchNextPageError ? more : () => void leads.refetch();
    return (
      <Alert type="error" action={<Button onClick={again}>Try again</Button>}>
        {errorMessage(leads.error)}
      </Alert>
    );
  }
  if (!leads.hasNextPage) return null;
  const isEmpty = leads.data?.pages.every(({ rows }) => rows.length === 0);
  return (
    <Box textAlign="center">
      <Button loading={leads.isFetchingNextPage} loadingText="Loading older leads" onClick={more}>
        {isEmpty ? 'Search older leads' : 'Load more'}
      </Button>
    </Box>
  );
}
