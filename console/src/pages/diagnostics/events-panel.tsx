import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { lazy, Suspense, useEffect } from 'react';
import Table from '#console/shared/table.tsx';
import { reasonGuide } from '#rejections/reason-guide.ts';
import { ApiProblem } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import type { EventPage, FoundRequest, RejectionEvent } from '../../api/types.ts';
import { CursorPager, useCursorPages } from '../../shared/cursor-pages.tsx';
import { SURFACE_NAMES } from '../../shared/display-text.ts';
import { Moment } from '../../shared/moment.tsx';
import { Empty, Failed, Loading, QueryResult } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';
import { type Filters, isFiltered, type KnownForms } from './rejections.ts';

interface EventsPanelProps {
  readonly filters: Filters;
  readonly forms: KnownForms;
  readonly live: boolean;
  readonly onOpen: (requestId: string) => void;
}

const LIVE_MS = 5_000;
const PAGE = 50;

export function EventsPanel({ filters, forms, live, onOpen }: EventsPanelProps) {
  const pages = useCursorPages();
  const read = useRead<EventPage>(
    '/settings/diagnostics/events',
    { ...filters, limit: PAGE, cursor: pages.cursor },
    live && pages.isFirst ? { refetchInterval: LIVE_MS } : {},
  );
  if (read.data === undefined && !read.isPending)
    return <Failed error={read.error} what="the recent events" />;

  const { events = [], cursor: next } = read.data ?? {};
  return (
    <Table
      header={
        <Header
          variant="h2"
          counter={read.data && `(${events.length}${next === undefined ? '' : '+'})`}
          description="Newest first. Lists the first 20 events per minute from authenticated senders and the first 20 from others; the counts above include all. To find any other rejection, search by request ID."
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
      pagination={<CursorPager pages={pages} next={next} what="events" />}
      empty={
        <EventsEmpty
          isFiltered={isFiltered(filters)}
          isLater={!pages.isFirst}
          lookedBackTo={read.data?.lookedBackTo}
          onLookFurther={() => next !== undefined && pages.older(next)}
        />
      }
    />
  );
}

function eventColumns(
  { nameOf }: KnownForms,
  onOpen: (requestId: string) => void,
): TableProps.ColumnDefinition<RejectionEvent>[] {
  return [
    { id: 'at', header: 'Time', minWidth: 180, cell: ({ at }) => <Moment at={at} /> },
    {
      id: 'reason',
      header: 'Reason',
      isRowHeader: true,
      minWidth: 160,
      cell: ({ reason, surface, requestId }) => (
        <Button
          variant="inline-link"
          ariaLabel={`${reasonGuide(reason, surface).title}, details of request ${requestId}`}
          onClick={() => onOpen(requestId)}
        >
          {reasonGuide(reason, surface).title}
        </Button>
      ),
    },
    { id: 'surface', header: 'Received via', minWidth: 150, cell: ({ surface }) => SURFACE_NAMES[surface] },
    {
      id: 'form',
      header: 'Form',
      minWidth: 140,
      cell: ({ formId }) =>
        formId === undefined ? (
          nameOf(formId)
        ) : (
          <Link href={`/forms/${encodeURIComponent(formId)}`}>{nameOf(formId)}</Link>
        ),
    },
    {
      id: 'request',
      header: 'Request ID',
      minWidth: 160,
      cell: ({ requestId }) => <span className="value">{requestId}</span>,
    },
  ];
}

interface EventsEmptyProps {
  readonly isFiltered: boolean;
  /** This isn't the first page. */
  readonly isLater: boolean;
  /** Set if older events may exist: the time searched back to. */
  readonly lookedBackTo: string | undefined;
  readonly onLookFurther: () => void;
}

function EventsEmpty({ isFiltered, isLater, lookedBackTo, onLookFurther }: EventsEmptyProps) {
  const follow = useFollow();
  if (lookedBackTo !== undefined) {
    const further = <Button onClick={onLookFurther}>Search older events</Button>;
    return (
      <Empty title="No matches yet" action={further}>
        No events since <Moment at={lookedBackTo} /> match the filters. Older events might.
      </Empty>
    );
  }
  if (isLater) {
    const title = isFiltered ? 'No older events match the filters' : 'No older events';
    return <Empty title={title}>You’ve reached the end.</Empty>;
  }
  if (isFiltered)
    return <Empty title="No events match the filters">Clear the filters to see all events.</Empty>;
  return (
    <Empty
      title="No events"
      action={
        <Button href="/send-test" onFollow={follow}>
          Send test
        </Button>
      }
    >
      Rejected submissions appear here within seconds. Send a test to check that a form accepts leads.
    </Empty>
  );
}

const loadDetail = () => import('./event-detail.tsx');
const EventDetail = lazy(loadDetail);

interface EventDialogProps {
  readonly requestId: string;
  readonly forms: KnownForms;
  readonly onClose: () => void;
}

/** Details of the rejection whose request ID is in the URL. */
export function EventDialog({ requestId, forms, onClose }: EventDialogProps) {
  const read = useRead<FoundRequest>(`/settings/diagnostics/requests/${encodeURIComponent(requestId)}`);
  useEffect(() => {
    // Preload while the request loads. A failure is shown when rendering.
    loadDetail().catch(() => undefined);
  }, []);
  const problem = read.error instanceof ApiProblem ? read.error : undefined;
  return (
    <Modal visible size="large" header="Rejected request" onDismiss={onClose} closeAriaLabel="Close">
      {problem?.status === 404 ? (
        <Alert type="info" header="Request not found">
          {problem.detail}
        </Alert>
      ) : (
        <Suspense fallback={<Loading what="the request" />}>
          <QueryResult of={read} what="the request" inDialog>
            {({ otherMatches, ...event }) => (
              <SpaceBetween size="xxl">
                <EventDetail event={event} forms={forms} />
                {otherMatches.length > 0 && (
                  <Alert type="info" header="Other requests have the same ID">
                    Senders can choose the request ID. Other requests with this ID: {otherMatches.length}.
                  </Alert>
                )}
                {otherMatches.map((other) => (
                  <EventDetail key={`${other.at} ${other.extendedRequestId}`} event={other} forms={forms} />
                ))}
              </SpaceBetween>
            )}
          </QueryResult>
        </Suspense>
      )}
    </Modal>
  );
}
