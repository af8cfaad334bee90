import Button from '@cloudscape-design/components/button';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { ApiProblem } from '#console/api/problem.ts';
import type { ListedForm } from '#console/api/types.ts';
import { CursorPager } from '#console/shared/cursor-pages.tsx';
import { ARCHIVED_FORM, formNames } from '#console/shared/forms.ts';
import { Failed } from '#console/shared/states.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { ConfirmErase } from '../erase-lead.tsx';
import { ExportDialog } from '../export/export-dialog.tsx';
import { ExportProgress, useExport } from '../export/use-export.tsx';
import { formOptions, leadsAddress } from '../leads-navigation.ts';
import { FilterBar } from './filter-bar.tsx';
import { InboxEmpty, SearchedTo, SearchProgress } from './inbox-empty.tsx';
import { type InboxFilter, writeFilter } from './inbox-filter.ts';
import { InboxTable, NewLeads } from './inbox-table.tsx';
import { SelectionActions } from './selection-actions.tsx';
import { useInboxPage, useInboxQuery, usePages } from './use-inbox.ts';

interface InboxProps {
  readonly filter: InboxFilter;
  /** Undefined until they are loaded. */
  readonly forms: readonly ListedForm[] | undefined;
  readonly archived: readonly ListedForm[];
}

/** The list follows a review after a moment. */
const REVIEW_FOLLOWED_MS = 3_000;

export function Inbox({ filter, forms, archived }: InboxProps) {
  const [, go] = useLocation();
  const pages = usePages();
  const { page, leads, newLeads, hasMoreNew, stop } = useInboxPage(useInboxQuery(filter), pages.cursor);
  const file = useExport();
  const notify = useNotify();
  const [erasing, setErasing] = useState<readonly string[]>();
  const [told, setTold] = useState<string>();
  const [isExporting, setIsExporting] = useState(false);
  const heading = useRef<HTMLSpanElement>(null);

  // The button that was used is disabled or gone, and can't get the focus back.
  useEffect(() => {
    if (told !== undefined) heading.current?.focus();
  }, [told]);

  // A cursor belongs to its filter, and "today" ends at midnight.
  if (isInvalidCursor(page.error)) {
    return <Redirect to={leadsAddress(writeFilter(filter).toString())} replace />;
  }

  const all = [...(forms ?? []), ...archived];
  const hasForms = forms === undefined || forms.length > 0;
  const names = formNames(all);
  const options = formOptions(forms ?? [], archived);
  const { next, searchedTo } = page.data ?? {};
  const isReading = page.isFetching && !page.isPlaceholderData && page.data?.isComplete === false;
  const choose = (chosen: InboxFilter, replace = false) => {
    setTold(undefined);
    go(leadsAddress(writeFilter(chosen).toString()), { replace });
  };
  const showNew = async () => {
    setTold(undefined);
    await page.refetch();
    setTold('New leads shown.');
  };
  const progress = (
    <SearchProgress
      found={leads.length}
      searchedTo={searchedTo}
      onStop={() => {
        setTold('Search stopped.');
        // Also if the search before was stopped, and this text is not new.
        heading.current?.focus();
        stop();
      }}
    />
  );
  const pager = (
    <CursorPager
      // A second click while a page loads would skip it.
      pages={page.isPlaceholderData ? { ...pages, older: () => undefined } : pages}
      next={next}
      what="leads"
    />
  );

  return (
    <SpaceBetween size="l">
      <ExportProgress state={file.state} onStop={file.stop} onRetry={(wanted) => void file.start(wanted)} />
      {page.error && !page.data ? (
        <>
          <Failed error={page.error} what="the leads" />
          {pager}
        </>
      ) : (
        <InboxTable
          leads={leads}
          loading={page.isPending}
          counter={page.isPending ? '' : counterOf(pages.number, leads.length, next !== undefined)}
          formName={(formId) => names.get(formId) ?? (forms ? ARCHIVED_FORM : '…')}
          heading={heading}
          description={
            <>
              {hasForms && 'Newest first. '}
              <NewLeads
                count={newLeads}
                mayBeMore={hasMoreNew}
                busy={page.isRefetching}
                onShow={() => void showNew()}
              />
            </>
          }
          filter={
            <FilterBar
              filter={filter}
              forms={options}
              onChoose={(chosen) => choose(chosen)}
              onType={(chosen) => choose(chosen, true)}
            />
          }
          empty={
            isReading ? (
              progress
            ) : (
              <InboxEmpty
                filter={filter}
                isFirst={pages.isFirst}
                next={next}
                searchedTo={searchedTo}
                form={all.find(({ formId }) => formId === filter.form)}
                hasForms={hasForms}
                onClear={() => choose({})}
                onContinue={pages.older}
              />
            )
          }
          pagination={pager}
          footer={leads.length > 0 && (isReading ? progress : <SearchedTo searchedTo={searchedTo} />)}
          selectionActions={(submissionIds, deselect) => (
            <SelectionActions
              submissionIds={submissionIds}
              onReviewed={() => {
                deselect();
                setTimeout(() => void page.refetch(), REVIEW_FOLLOWED_MS);
              }}
              onErase={() => {
                setTold(undefined);
                setErasing(submissionIds);
              }}
            />
          )}
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button
                disabled={all.length === 0}
                loading={file.state.step === 'running'}
                loadingText="Exporting"
                onClick={() => setIsExporting(true)}
              >
                Export
              </Button>
              <Button
                iconName="refresh"
                ariaLabel="Refresh leads"
                loading={page.isRefetching}
                onClick={() => void page.refetch()}
              />
            </SpaceBetween>
          }
        />
      )}
      {isExporting && (
        <ExportDialog
          forms={all}
          options={options}
          filter={filter}
          onCancel={() => setIsExporting(false)}
          onExport={(wanted) => {
            void file.start(wanted);
            setIsExporting(false);
          }}
        />
      )}
      {erasing && (
        <ConfirmErase
          submissionIds={erasing}
          onCancel={() => setErasing(undefined)}
          onDone={() => {
            const done = erasing.length === 1 ? 'Lead deleted.' : `${erasing.length} leads deleted.`;
            setErasing(undefined);
            setTold(done);
            notify('success', done);
          }}
        />
      )}
      <LiveRegion hidden>{told}</LiveRegion>
    </SpaceBetween>
  );
}

function isInvalidCursor(error: unknown): boolean {
  return error instanceof ApiProblem && error.fields.some(({ field }) => field === 'cursor');
}

function counterOf(page: number | undefined, count: number, mayHaveMore: boolean): string {
  if (page === undefined) return '';
  return page > 1 ? `(page ${page})` : `(${count}${mayHaveMore ? '+' : ''})`;
}
