import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { type ReactNode, type RefObject, useState, useSyncExternalStore } from 'react';
import { useSearch } from 'wouter';
import type { InboxLead } from '#console/api/types.ts';
import { useTimeText } from '#console/shared/moment.tsx';
import { leadAddress } from '../leads-navigation.ts';
import { narrowColumns, personOf, wideColumns } from './inbox-columns.tsx';

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
