import CollectionPreferences from '@cloudscape-design/components/collection-preferences';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { type ReactNode, type RefObject, useMemo, useState, useSyncExternalStore } from 'react';
import { useSearch } from 'wouter';
import type { Form, LeadPage } from '#console/api/types.ts';
import { useTimeText } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import {
  type Column,
  columnsOf,
  displayOf,
  mostUsedKeys,
  narrowColumns,
  RECEIVED,
  rememberedPreferences,
  rememberPreferences,
  rowsOf,
  SCORE,
  type ShownColumn,
  type TablePreferences,
  type TableRow,
} from './lead-columns.ts';
import { tableColumns } from './table-columns.tsx';

interface LeadsTableProps {
  readonly form: Form;
  /** One page as the API returned it. */
  readonly parts: readonly LeadPage[];
  /** From 1. */
  readonly page: number;
  readonly loading: boolean;
  readonly mayHaveMore: boolean;
  readonly empty: ReactNode;
  readonly filter: ReactNode;
  readonly pagination: ReactNode;
  readonly exportMenu: (shownColumns: readonly string[]) => ReactNode;
  readonly refresh: ReactNode;
  /** Gets the focus after the selected leads are deleted. */
  readonly heading: RefObject<HTMLSpanElement | null>;
  readonly onErase: (submissionIds: readonly string[]) => void;
}

export function LeadsTable({
  form,
  parts,
  page,
  loading,
  mayHaveMore,
  heading,
  onErase,
  ...slots
}: LeadsTableProps) {
  const search = useSearch();
  const isNarrow = useIsNarrow();
  const timeText = useTimeText();
  const [preferences, setPreferences] = useState(() => rememberedPreferences(localStorage, form.formId));
  const [selected, setSelected] = useState<readonly string[]>([]);
  const columns = useMemo(
    () => columnsOf(form.fields, parts, preferences?.columns),
    [form.fields, parts, preferences],
  );
  const rows = useMemo(() => rowsOf(parts), [parts]);
  const selectedRows = rows.filter(({ submissionId }) => selected.includes(submissionId));
  const display = displayOf(columns, {
    chosen: preferences?.columns,
    often: useKeysOfFirstPage(mostUsedKeys(form.fields, parts[0]), page),
  });
  const showsScore = display.some(({ id, visible }) => id === SCORE && visible);
  const wrapLines = preferences?.wrapLines ?? false;
  const addressOf = (submissionId: string) =>
    `/forms/${encodeURIComponent(form.formId)}/leads/${encodeURIComponent(submissionId)}${search && `?${search}`}`;
  const count = page > 1 ? `(page ${page})` : `(${rows.length}${mayHaveMore ? '+' : ''})`;
  return (
    <Table<TableRow>
      items={rows}
      trackBy="submissionId"
      loading={loading}
      loadingText="Loading the leads"
      columnDefinitions={tableColumns(columns, { addressOf, isNarrow, showsScore })}
      columnDisplay={isNarrow ? narrowColumns(display) : display}
      wrapLines={wrapLines}
      selectionType="multi"
      selectedItems={selectedRows}
      onSelectionChange={({ detail }) =>
        setSelected(detail.selectedItems.map(({ submissionId }) => submissionId))
      }
      ariaLabels={{
        tableLabel: 'Leads',
        selectionGroupLabel: 'Select leads',
        allItemsSelectionLabel: () => 'Select all leads shown',
        itemSelectionLabel: (_, { receivedAt }) => `Select lead received ${timeText(receivedAt)}`,
      }}
      renderAriaLive={({ visibleItemsCount }) =>
        `${visibleItemsCount} ${visibleItemsCount === 1 ? 'lead' : 'leads'} shown`
      }
      header={
        <Header
          counter={loading ? '' : count}
          description="Newest first"
          actions={
            <SpaceBetween direction="horizontal" size="xs" alignItems="center">
              <OwnerButton
                disabled={selectedRows.length === 0}
                onClick={() => onErase(selectedRows.map(({ submissionId }) => submissionId))}
              >
                Delete
              </OwnerButton>
              {slots.exportMenu(display.filter(({ visible }) => visible).map(({ id }) => id))}
              {slots.refresh}
              <ColumnChoice
                columns={columns}
                display={display}
                moreKeys={parts.some(({ moreKeys }) => moreKeys)}
                wrapLines={wrapLines}
                onChoose={(chosen) => {
                  setPreferences(chosen);
                  rememberPreferences(localStorage, form.formId, chosen);
                }}
              />
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
    />
  );
}

/** Paging doesn't move the columns. */
function useKeysOfFirstPage(keys: readonly string[], page: number): readonly string[] {
  const [first, setFirst] = useState<readonly string[]>();
  if (page > 1) return first ?? keys;
  if (keys.join() !== first?.join()) setFirst(keys);
  return keys;
}

interface ColumnChoiceProps {
  readonly columns: readonly Column[];
  readonly display: readonly ShownColumn[];
  /** Some keys have no column. */
  readonly moreKeys: boolean;
  readonly wrapLines: boolean;
  readonly onChoose: (preferences: TablePreferences) => void;
}

const ABOUT =
  'Saved for this form in this browser. Set labels in the form settings. Nested values are shown only on a lead’s page.';
const NOT_LISTED = 'Rare keys and keys with very long names aren’t listed. See them on a lead’s page.';

function ColumnChoice({ columns, display, moreKeys, wrapLines, onChoose }: ColumnChoiceProps) {
  return (
    <CollectionPreferences
      title="Columns"
      confirmLabel="Apply"
      cancelLabel="Cancel"
      preferences={{ contentDisplay: display, wrapLines }}
      wrapLinesPreference={{ label: 'Wrap lines', description: 'Show long values on multiple lines.' }}
      contentDisplayPreference={{
        title: 'Columns and order',
        description: moreKeys ? `${ABOUT} ${NOT_LISTED}` : ABOUT,
        options: columns.map(({ id, label }) => ({ id, label, alwaysVisible: id === RECEIVED })),
        enableColumnFiltering: columns.length > 15,
      }}
      onConfirm={({ detail }) => {
        const shown = (detail.contentDisplay ?? display).filter(({ visible }) => visible);
        onChoose({ columns: shown.map(({ id }) => id), wrapLines: detail.wrapLines ?? false });
      }}
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
