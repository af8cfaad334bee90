import type { InputProps } from '@cloudscape-design/components/input';
import LiveRegion from '@cloudscape-design/components/live-region';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { ApiProblem } from '#console/api/problem.ts';
import type { ListedForm } from '#console/api/types.ts';
import { CursorPager } from '#console/shared/cursor-pages.tsx';
import { ARCHIVED_FORM, formNames } from '#console/shared/forms.ts';
import { useDayText } from '#console/shared/moment.tsx';
import { ONLY_OWNERS, useIsViewer } from '#console/shared/role.tsx';
import { Failed, Loading } from '#console/shared/states.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { focusPage, Page } from '#console/shell/page.tsx';
import { ExportProgress, useExport } from '../export/use-export.tsx';
import { formOptions, leadsAddress } from '../leads-navigation.ts';
import { handledStep } from '../review/handled-steps.ts';
import { reviewStep } from '../review/review-steps.ts';
import type { Step } from '../review/step.ts';
import { useSteps } from '../review/use-steps.ts';
import { chipsOf } from './filter-chips.ts';
import { FilterLine } from './filter-line.tsx';
import { InboxActions, type LeadAction } from './inbox-actions.tsx';
import { type InboxDialog, InboxDialogs } from './inbox-dialogs.tsx';
import { CountedLeads, InboxEmpty, NewLeads, SearchedTo, SearchProgress } from './inbox-empty.tsx';
import { type InboxFilter, withSort, writeFilter } from './inbox-filter.ts';
import { type Key, stepFrom } from './inbox-keys.ts';
import { LeadRows, linkOf } from './lead-rows.tsx';
import { useInboxPage, useInboxQuery, useLeadCount, usePages } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

interface InboxProps {
  readonly title: string;
  readonly filter: InboxFilter;
  /** Undefined until they are loaded. */
  readonly forms: readonly ListedForm[] | undefined;
  readonly archived: readonly ListedForm[];
  /** Above the list. */
  readonly notice: ReactNode;
}

export function Inbox({ title, filter, forms, archived, notice }: InboxProps) {
  const [, go] = useLocation();
  const pages = usePages();
  const query = useInboxQuery(filter);
  const { page, leads, newLeads, hasMoreNew, stop, refresh } = useInboxPage(query, pages.cursor);
  const complete = page.data?.isComplete && !page.isPlaceholderData ? page.data : undefined;
  const count = useLeadCount(query, complete, pages.isFirst);
  const file = useExport();
  const notify = useNotify();
  const isViewer = useIsViewer();
  const dayText = useDayText();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [dialog, setDialog] = useState<InboxDialog>();
  const [told, setTold] = useState<string>();
  const searchBox = useRef<InputProps.Ref>(null);
  const shown = leads.map(({ submissionId }) => submissionId);
  const [current, setCurrent] = useCurrentLead(shown);
  const { run: runStep, undo } = useSteps();

  // The button that was used is gone, and can't get the focus back.
  useEffect(() => {
    if (told !== undefined) focusPage();
  }, [told]);

  const selected = leads.filter(({ submissionId }) => chosen.includes(submissionId));
  const targets = selected.length > 0 ? selected : leads.filter((lead) => lead.submissionId === current);

  const run = (step: Step) => {
    // At once: until it is done, others may be selected.
    setChosen([]);
    runStep(step);
  };
  const act = (action: LeadAction) => {
    if (targets.length === 0) return;
    if (isViewer) return notify('info', ONLY_OWNERS, { subject: 'lead' });
    if (selected.length > 0) focusPage({ preventScroll: true });
    if (action === 'note' || action === 'erase') setDialog(action);
    else if (action === 'handled' || action === 'todo')
      run(handledStep(targets, { handled: action === 'handled' }));
    else run(reviewStep(targets, action === 'unreview' ? null : action));
  };
  useInboxKeys((key: Key) => {
    if (key === '/') searchBox.current?.select();
    else if (key === '?') setDialog('shortcuts');
    else if (key === 'u') undo();
    else if (key === 's') act('spam');
    else if (key === 'g') act('good');
    else if (key === 'h') act(targets.every(({ status }) => status === 'handled') ? 'todo' : 'handled');
    else if (key === 'Enter') linkOf(current ?? '')?.click();
    else linkOf(stepFrom(shown, current, key === 'j' ? 1 : -1) ?? '')?.focus();
  });

  // A cursor belongs to its filter, and "today" ends at midnight.
  if (isInvalidCursor(page.error)) {
    return <Redirect to={leadsAddress(writeFilter(filter).toString())} replace />;
  }

  const all = [...(forms ?? []), ...archived];
  const hasForms = forms === undefined || forms.length > 0;
  const names = formNames(all);
  const formName = (formId: string) => names.get(formId) ?? (forms ? ARCHIVED_FORM : '…');
  const form = all.find(({ formId }) => formId === filter.form);
  const chips = chipsOf(filter, { formName, dayText });
  const { next, searchedTo } = page.data ?? {};
  const isReading = page.isFetching && !page.isPlaceholderData && page.data?.isComplete === false;
  const choose = (wanted: InboxFilter, replace = false) => {
    setTold(undefined);
    setChosen([]);
    go(leadsAddress(writeFilter(wanted).toString()), { replace });
  };
  const showNew = async () => {
    setTold(undefined);
    await refresh();
    setTold('New leads shown.');
  };
  const progress = (
    <SearchProgress
      found={leads.length}
      searchedTo={searchedTo}
      onStop={() => {
        setTold('Search stopped.');
        // Also if the search before was stopped, and this text is not new.
        focusPage();
        stop();
      }}
    />
  );

  return (
    <Page
      title={title}
      size="s"
      info={
        <span className="lead-count">
          {!page.isPending && <CountedLeads count={count} shown={leads.length} page={pages.number} />}{' '}
          <NewLeads
            count={newLeads}
            mayBeMore={hasMoreNew}
            busy={page.isRefetching}
            onShow={() => void showNew()}
          />
        </span>
      }
      actions={
        <InboxActions
          selected={selected.length}
          form={form?.archivedAt === undefined ? form : undefined}
          onAct={act}
          onShortcuts={() => setDialog('shortcuts')}
          canExport={leads.length > 0}
          exporting={file.state.step === 'running'}
          onExport={() => setDialog('export')}
          refreshing={page.isRefetching}
          onRefresh={() => void refresh()}
        />
      }
    >
      {notice}
      <ExportProgress state={file.state} onStop={file.stop} onRetry={(wanted) => void file.start(wanted)} />
      <FilterLine
        filter={filter}
        chips={chips}
        forms={formOptions(forms ?? [], archived)}
        searchBox={searchBox}
        onChoose={(wanted) => choose(wanted)}
        onType={(wanted) => choose(wanted, true)}
      />
      {page.error && !page.data ? (
        <Failed error={page.error} what="the leads" />
      ) : page.isPending ? (
        <Loading what="the leads" />
      ) : leads.length > 0 ? (
        <LeadRows
          leads={leads}
          formName={formName}
          selected={selected.map(({ submissionId }) => submissionId)}
          onSelect={setChosen}
          sort={filter.sort}
          onSort={(sort) => choose(withSort(filter, sort))}
          current={current}
          onCurrent={setCurrent}
        />
      ) : isReading ? (
        progress
      ) : (
        <InboxEmpty
          filter={filter}
          chips={chips}
          isFirst={pages.isFirst}
          next={next}
          searchedTo={searchedTo}
          form={form}
          hasForms={hasForms}
          onChoose={choose}
          onContinue={pages.older}
        />
      )}
      {leads.length > 0 && (isReading ? progress : <SearchedTo searchedTo={searchedTo} />)}
      <CursorPager
        // A second click while a page loads would skip it.
        pages={page.isPlaceholderData ? { ...pages, older: () => undefined } : pages}
        next={next}
        what="leads"
      />
      <InboxDialogs
        open={dialog}
        targets={targets}
        exported={{ query, selected: selected.map(({ submissionId }) => submissionId), count }}
        formId={filter.form ?? (all.length === 1 ? all[0]?.formId : undefined)}
        onClose={() => setDialog(undefined)}
        onNote={(note) => run(handledStep(targets, { handled: true, note }))}
        onExport={(wanted) => void file.start(wanted)}
        onErased={(done) => {
          setTold(done);
          notify('success', done);
        }}
      />
      <LiveRegion hidden>{told}</LiveRegion>
    </Page>
  );
}

/** The lead that the keys apply to: the one that was focused last, also after Back. */
function useCurrentLead(shown: readonly string[]) {
  const opened = useHistoryState<{ readonly current?: string } | null>()?.current;
  const [current, setCurrent] = useState(opened);
  const [toFocus] = useState({ id: opened });
  useEffect(() => {
    if (toFocus.id === undefined || !shown.includes(toFocus.id)) return;
    linkOf(toFocus.id)?.focus({ preventScroll: true });
    toFocus.id = undefined;
  });
  return [current, setCurrent] as const;
}

function isInvalidCursor(error: unknown): boolean {
  return error instanceof ApiProblem && error.fields.some(({ field }) => field === 'cursor');
}
