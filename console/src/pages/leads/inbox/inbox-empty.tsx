import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useLocation } from 'wouter';
import type { LeadCount, ListedForm } from '#console/api/types.ts';
import { useDayText } from '#console/shared/moment.tsx';
import { Empty } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';
import { type Chip, PRESET_NAMES, wider } from './filter-chips.ts';
import { type InboxFilter, isFiltered, isTooShort } from './inbox-filter.ts';

interface InboxEmptyProps {
  readonly filter: InboxFilter;
  /** The filters that are set. */
  readonly chips: readonly Chip[];
  readonly isFirst: boolean;
  /** The next page's cursor. */
  readonly next: string | undefined;
  readonly searchedTo: string | undefined;
  readonly form: ListedForm | undefined;
  readonly hasForms: boolean;
  readonly onChoose: (filter: InboxFilter) => void;
  readonly onContinue: (next: string) => void;
}

export function InboxEmpty(props: InboxEmptyProps) {
  const { filter, isFirst, next, searchedTo, form, hasForms, onContinue } = props;
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
  if (isFiltered(others)) return <NoMatch {...props} />;
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

/** Says what was searched, and offers to search more. */
function NoMatch({ filter, chips, onChoose }: Pick<InboxEmptyProps, 'filter' | 'chips' | 'onChoose'>) {
  const { q, period } = filter;
  const longer = wider(period);
  return (
    <Empty
      title="No leads match"
      action={
        <div className="chips centered">
          {longer !== undefined && (
            <Button onClick={() => onChoose({ ...filter, period: longer })}>
              Search the {PRESET_NAMES[longer].toLowerCase()}
            </Button>
          )}
          {chips.map(({ name, text, without }) => (
            <Button key={name} onClick={() => onChoose(without)}>
              {name === 'period' ? 'Search all time' : `Without “${text}”`}
            </Button>
          ))}
          {q !== undefined && (
            <Button onClick={() => onChoose({ ...filter, q: undefined })}>Without the search</Button>
          )}
          {chips.length + Number(q !== undefined) > 1 && (
            <Button onClick={() => onChoose({})}>Clear filters</Button>
          )}
        </div>
      }
    >
      {isTooShort(q) && <div>Type at least two letters or digits of a word.</div>}
      {q !== undefined && (
        <div>The search looks at names, companies, email addresses and phone numbers, not at messages.</div>
      )}
      {chips.length > 0 && <div>Filters: {chips.map(({ text }) => text).join(', ')}.</div>}
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

interface NewLeadsProps {
  readonly count: number;
  readonly mayBeMore: boolean;
  readonly busy: boolean;
  readonly onShow: () => void;
}

/** Announces new leads. They are shown on request, so that rows don't move while they are read. */
export function NewLeads({ count, mayBeMore, busy, onShow }: NewLeadsProps) {
  return (
    <span role="status">
      {count > 0 && (
        <>
          <StatusIndicator type="info">{newLeadsText(count, mayBeMore)}</StatusIndicator>{' '}
          <Button variant="inline-link" loading={busy} onClick={onShow}>
            Show
          </Button>
        </>
      )}
    </span>
  );
}

function newLeadsText(count: number, mayBeMore: boolean): string {
  if (mayBeMore) return `${count}+ new leads.`;
  return count === 1 ? '1 new lead.' : `${count} new leads.`;
}

interface LeadCountProps {
  /** Undefined until it is known. */
  readonly count: LeadCount | undefined;
  /** How many are on this page. */
  readonly shown: number;
  /** Undefined if the page was opened by its URL. */
  readonly page: number | undefined;
}

/** The number of matches, announced when it changes. */
export function CountedLeads({ count, shown, page }: LeadCountProps) {
  return (
    <span role="status">
      {countText(count, shown)}
      {page !== undefined && page > 1 && `, page ${page}`}
    </span>
  );
}

function countText(count: LeadCount | undefined, shown: number): string {
  if (count === undefined) return `${shown}+ leads`;
  const number = count.count.toLocaleString('en');
  if (!count.exact) return `more than ${number} leads`;
  return count.count === 1 ? '1 lead' : `${number} leads`;
}
