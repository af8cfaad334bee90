import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import Table from '@cloudscape-design/components/table';
import { type ReactNode, type RefObject, useState, useSyncExternalStore } from 'react';
import { useSearch } from 'wouter';
import type { InboxLead } from '#console/api/types.ts';
import { ShortMoment, useTimeText } from '#console/shared/moment.tsx';
import { Link } from '#console/shell/link.tsx';
import { Clean, EnrichmentState, Score } from '../lead-marks.tsx';
import { leadAddress } from '../leads-navigation.ts';

interface Showing {
  /** The URL of a lead. */
  readonly addressOf: (lead: InboxLead) => string;
  readonly formName: (formId: string) => string;
}

type Columns = TableProps.ColumnDefinition<InboxLead>[];

const NO_NAME = 'No name or email';

/** The person, or else what is known of them. */
const personOf = ({ name, email, phone }: InboxLead) => name ?? email ?? phone ?? NO_NAME;

function wideColumns(showing: Showing): Columns {
  return [
    {
      id: 'person',
      header: 'Person',
      isRowHeader: true,
      minWidth: 120,
      cell: (lead) => <Person lead={lead} href={showing.addressOf(lead)} />,
    },
    { id: 'company', header: 'Company', minWidth: 110, cell: ({ company }) => <Value text={company} /> },
    { id: 'email', header: 'Email', minWidth: 140, cell: ({ email }) => <Value text={email} /> },
    {
      id: 'form',
      header: 'Form',
      minWidth: 116,
      cell: ({ formId }) => <Value text={showing.formName(formId)} />,
    },
    {
      id: 'received',
      header: 'Received',
      minWidth: 95,
      cell: ({ receivedAt }) => <ShortMoment at={receivedAt} />,
    },
    { id: 'score', header: 'Score', minWidth: 95, cell: (lead) => <Score {...lead} /> },
    { id: 'clean', header: 'Clean', minWidth: 100, cell: (lead) => <Clean {...lead} /> },
    {
      id: 'enrichment',
      header: 'Enrichment',
      minWidth: 110,
      cell: ({ enrichment }) => <EnrichmentState state={enrichment} />,
    },
  ];
}

/** On a phone, one column has everything but the enrichment. */
function narrowColumns({ addressOf, formName }: Showing): Columns {
  return [
    {
      id: 'person',
      header: 'Lead',
      isRowHeader: true,
      cell: (lead) => (
        <>
          <Person lead={lead} href={addressOf(lead)} />
          {lead.company !== undefined && <div className="value">{lead.company}</div>}
          {lead.email !== undefined && lead.name !== undefined && <Line>{lead.email}</Line>}
          <Line>
            {formName(lead.formId)}, <ShortMoment at={lead.receivedAt} />
          </Line>
          <SpaceBetween direction="horizontal" size="xs">
            <span>
              {!lead.test && 'Score '}
              <Score {...lead} />
            </span>
            {!lead.test && <Clean {...lead} />}
          </SpaceBetween>
        </>
      ),
    },
  ];
}

function Person({ lead, href }: { readonly lead: InboxLead; readonly href: string }) {
  return (
    <span className="value">
      <Link href={href}>{personOf(lead)}</Link>
    </span>
  );
}

function Line({ children }: { readonly children: ReactNode }) {
  return (
    <Box variant="div" fontSize="body-s" color="text-body-secondary">
      <span className="value">{children}</span>
    </Box>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return text === undefined ? '–' : <span className="value">{text}</span>;
}

interface InboxTableProps {
  readonly leads: readonly InboxLead[];
  readonly loading: boolean;
  readonly counter: string;
  readonly formName: (formId: string) => string;
  readonly description: ReactNode;
  readonly empty: ReactNode;
  readonly filter: ReactNode;
  readonly pagination: ReactNode;
  readonly footer: ReactNode;
  /** For the selected leads. */
  readonly selectionActions: (submissionIds: readonly string[], deselect: () => void) => ReactNode;
  readonly actions: ReactNode;
  /** Gets the focus when a button that had it is gone. */
  readonly heading: RefObject<HTMLSpanElement | null>;
}

export function InboxTable({ leads, loading, counter, formName, heading, ...slots }: InboxTableProps) {
  const search = useSearch();
  const isNarrow = useIsNarrow();
  const timeText = useTimeText();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const selected = leads.filter(({ submissionId }) => chosen.includes(submissionId));
  const showing = { addressOf: (lead: InboxLead) => leadAddress(lead, search), formName };
  return (
    <Table<InboxLead>
      items={leads}
      trackBy="submissionId"
      loading={loading}
      loadingText="Loading the leads"
      columnDefinitions={isNarrow ? narrowColumns(showing) : wideColumns(showing)}
      wrapLines
      selectionType="multi"
      selectedItems={selected}
      onSelectionChange={({ detail }) =>
        setChosen(detail.selectedItems.map(({ submissionId }) => submissionId))
      }
      ariaLabels={{
        tableLabel: 'Leads',
        selectionGroupLabel: 'Select leads',
        allItemsSelectionLabel: () => 'Select all leads shown',
        itemSelectionLabel: (_, lead) => `Select ${personOf(lead)}, received ${timeText(lead.receivedAt)}`,
      }}
      renderAriaLive={({ visibleItemsCount }) =>
        `${visibleItemsCount} ${visibleItemsCount === 1 ? 'lead' : 'leads'} shown`
      }
      header={
        <Header
          counter={counter}
          description={slots.description}
          actions={
            <SpaceBetween direction="horizontal" size="xs" alignItems="center">
              {slots.selectionActions(
                selected.map(({ submissionId }) => submissionId),
                () => setChosen([]),
              )}
              {slots.actions}
            </SpaceBetween>
          }
        >
          <span ref={heading} tabIndex={-1}>
            Leads
          </span>
        </Header>
      }
      filter={slots.filter}
      empty={slots.empty}
      pagination={slots.pagination}
      footer={slots.footer}
    />
  );
}

const NARROW = '(max-width: 699px)';

/** Whether the window is as narrow as a phone. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(onTurn, () => matchMedia(NARROW).matches);
}

function onTurn(notice: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', notice);
  return () => query.removeEventListener('change', notice);
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
