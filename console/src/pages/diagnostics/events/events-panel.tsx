import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useRead } from '#console/api/queries.ts';
import type { EventPage } from '#console/api/types.ts';
import { Failed } from '#console/shared/states.tsx';
import { type Filters, isFiltered } from '../filters/filters.ts';
import type { KnownForms } from '../known-forms.ts';
import { eventColumns } from './event-columns.tsx';
import { EventsEmpty } from './events-empty.tsx';

interface EventsPanelProps {
  readonly filters: Filters;
  readonly forms: KnownForms;
  readonly live: boolean;
  readonly onOpen: (requestId: string) => void;
}

const LIVE_MS = 5_000;
const PAGE = 50;

export function EventsPanel({ filters, forms, live, onOpen }: EventsPanelProps) {
  // Where each page begins; the first one begins now.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const [at, setAt] = useState(0);
  const cursor = cursors[at];
  const read = useRead<EventPage>(
    '/settings/diagnostics/events',
    { ...filters, limit: PAGE, cursor },
    live && at === 0 ? { refetchInterval: LIVE_MS } : {},
  );
  if (read.data === undefined && !read.isPending)
    return <Failed error={read.error} what="the recent events" onRetry={() => void read.refetch()} />;

  const { events = [], cursor: next } = read.data ?? {};
  const turnTo = (page: number) => {
    if (page >= cursors.length && next !== undefined) setCursors([...cursors, next]);
    setAt(page);
  };
  return (
    <Table
      header={
        <Header
          variant="h2"
          counter={read.data && `(${events.length}${next === undefined ? '' : '+'})`}
          description="Newest first. Up to 20 per minute from authenticated senders and 20 from others are listed; the counts above include all. Find any other rejection by its request id."
        >
          Recent events
        </Header>
      }
      items={events}
      loading={read.isPending}
      loadingText="Loading the recent events"
      trackBy={({ requestId, extendedRequestId = '' }) => `${requestId} ${extendedRequestId}`}
      columnDefinitions={eventColumns(forms, onOpen)}
      ariaLabels={{ tableLabel: 'Recent events' }}
      enableKeyboardNavigation
      wrapLines
      pagination={
        (at > 0 || next !== undefined) && (
          <Pagination
            currentPageIndex={at + 1}
            pagesCount={Math.max(cursors.length, at + 1 + (next === undefined ? 0 : 1))}
            onChange={({ detail }) => turnTo(detail.currentPageIndex - 1)}
            ariaLabels={{
              paginationLabel: 'Pages of events',
              nextPageLabel: 'Older events',
              previousPageLabel: 'Newer events',
              pageLabel: (page) => `Page ${page} of events`,
            }}
          />
        )
      }
      empty={
        <EventsEmpty
          isFiltered={isFiltered(filters)}
          isLater={at > 0}
          lookedBackTo={read.data?.lookedBackTo}
          onLookFurther={() => turnTo(at + 1)}
        />
      }
    />
  );
}
