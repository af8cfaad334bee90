import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useLocation } from 'wouter';
import type { ListedForm } from '#console/api/types.ts';
import { useDayText } from '#console/shared/moment.tsx';
import { Empty } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';
import { type InboxFilter, isFiltered, isTooShort } from './inbox-filter.ts';

interface InboxEmptyProps {
  readonly filter: InboxFilter;
  readonly isFirst: boolean;
  /** The next page's cursor. */
  readonly next: string | undefined;
  readonly searchedTo: string | undefined;
  readonly form: ListedForm | undefined;
  readonly hasForms: boolean;
  readonly onClear: () => void;
  readonly onContinue: (next: string) => void;
}

export function InboxEmpty(props: InboxEmptyProps) {
  const { filter, isFirst, next, searchedTo, form, hasForms, onClear, onContinue } = props;
  const [, go] = useLocation();
  const dayText = useDayText();
  const { form: _form, ...others } = filter;
  if (next !== undefined) {
    return (
      <Empty
        title="No matches yet"
        action={<Button onClick={() => onContinue(next)}>Search older leads</Button>}
      >
        {searchedTo === undefined
          ? 'No lead so far matches.'
          : `No lead since ${dayText(searchedTo)} matches.`}{' '}
        Older leads might.
      </Empty>
    );
  }
  if (!isFirst) return <Empty title="No older leads">You’ve reached the end.</Empty>;
  if (isFiltered(others)) {
    return (
      <Empty title="No leads match" action={<Button onClick={onClear}>Clear filters</Button>}>
        {isTooShort(filter.q)
          ? 'Type at least two letters or digits of a word.'
          : 'Try other words or filters.'}
      </Empty>
    );
  }
  if (form?.archivedAt !== undefined) return <Empty title="No leads">This form is archived.</Empty>;
  if (!hasForms) {
    return (
      <Empty
        title="No forms"
        action={
          <Button variant="primary" onClick={() => go('/forms?create=true')}>
            Create form
          </Button>
        }
      >
        Create a form to receive leads.
      </Empty>
    );
  }
  const address = form && encodeURIComponent(form.formId);
  return (
    <Empty
      title="No leads yet"
      action={
        <div>
          <Button onClick={() => go(address === undefined ? '/send-test' : `/send-test?form=${address}`)}>
            Send test
          </Button>{' '}
          {address !== undefined && <Link href={`/forms/${address}/delivery`}>Delivery settings</Link>}
        </div>
      }
    >
      Send a test lead, or connect a sender in a form’s Delivery settings.
    </Empty>
  );
}

interface SearchProgressProps {
  readonly found: number;
  readonly searchedTo: string | undefined;
  readonly onStop: () => void;
}

/** While a search goes on. */
export function SearchProgress({ found, searchedTo, onStop }: SearchProgressProps) {
  const dayText = useDayText();
  const how = searchedTo === undefined ? 'Searching older leads' : `Searched back to ${dayText(searchedTo)}`;
  return (
    <Box {...(found === 0 && { textAlign: 'center', padding: 'l' })}>
      <StatusIndicator type="loading">
        {how}: {found} found so far
      </StatusIndicator>{' '}
      <Button onClick={onStop}>Stop</Button>
    </Box>
  );
}

/** Below a page that is not full because its search was stopped. */
export function SearchedTo({ searchedTo }: { readonly searchedTo: string | undefined }) {
  const dayText = useDayText();
  if (searchedTo === undefined) return null;
  return (
    <StatusIndicator type="stopped">
      Stopped. Searched back to {dayText(searchedTo)}. Choose Older to go on.
    </StatusIndicator>
  );
}
