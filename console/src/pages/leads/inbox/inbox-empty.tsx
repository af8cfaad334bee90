import Button from '@cloudscape-design/components/button';
import { useLocation } from 'wouter';
import type { ListedForm } from '#console/api/types.ts';
import { Empty } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';
import { type InboxFilter, isFiltered } from './inbox-filter.ts';

interface InboxEmptyProps {
  readonly filter: InboxFilter;
  readonly isFirst: boolean;
  /** The next page's cursor. */
  readonly next: string | undefined;
  readonly form: ListedForm | undefined;
  readonly hasForms: boolean;
  readonly onClear: () => void;
  readonly onContinue: (next: string) => void;
}

/** The search finds words by their first three letters; shorter ones only as a whole. */
const SHORT_WORDS = /^\S{1,2}(\s+\S{1,2})*$/;

export function InboxEmpty(props: InboxEmptyProps) {
  const { filter, isFirst, next, form, hasForms, onClear, onContinue } = props;
  const [, go] = useLocation();
  const { form: _form, ...others } = filter;
  if (next !== undefined) {
    return (
      <Empty
        title="No matches yet"
        action={<Button onClick={() => onContinue(next)}>Search older leads</Button>}
      >
        No lead so far matches. Older leads might.
      </Empty>
    );
  }
  if (!isFirst) return <Empty title="No older leads">You’ve reached the end.</Empty>;
  if (isFiltered(others)) {
    return (
      <Empty title="No leads match" action={<Button onClick={onClear}>Clear filters</Button>}>
        {SHORT_WORDS.test(filter.q ?? '')
          ? 'Type at least three letters of a word to find what begins with them.'
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
