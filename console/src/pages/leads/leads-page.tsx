import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import LiveRegion from '@cloudscape-design/components/live-region';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch, useSearchParams } from 'wouter';
import { useArchivedForms, useForm, useForms } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { CursorPager } from '../../shared/cursor-pages.tsx';
import { Moment } from '../../shared/moment.tsx';
import { Empty, Failed, QueryResult } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { ConfirmErase } from './erase-lead.tsx';
import { ExportMenu, ExportProgress, type ExportWanted, useExport } from './export/export-menu.tsx';
import { formOptions, leadsBreadcrumb } from './leads-navigation.ts';
import { SENDERS_PATH } from './review/review-words.ts';
import { isFiltered, type LeadFilter, readFilter, toQuery, writeFilter } from './table/lead-filter.ts';
import { FilterBar } from './table/lead-filter-bar.tsx';
import { LeadsTable } from './table/leads-table.tsx';
import { leadsPath, useLeadPage } from './use-leads.ts';

export default function LeadsPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  const above = leadsBreadcrumb(formId, useForms().data?.forms);
  return (
    <Page
      title={form.data ? `Leads: ${form.data.name}` : 'Leads'}
      above={[above]}
      actions={form.data && <LeadsActions form={form.data} />}
    >
      <QueryResult of={form} what="the form">
        {(read) => <FormLeads form={read} />}
      </QueryResult>
    </Page>
  );
}

/** Archived forms have no settings. */
function LeadsActions({ form }: { readonly form: Form }) {
  const follow = useFollow();
  const isLive = form.archivedAt === undefined;
  const address = `/forms/${encodeURIComponent(form.formId)}`;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <FormSwitcher form={form} />
      <Button href={SENDERS_PATH} onFollow={follow}>
        Senders
      </Button>
      {isLive && (
        <Button href={address} onFollow={follow}>
          Form settings
        </Button>
      )}
      {isLive && (
        <Button href={`${address}/delivery`} onFollow={follow}>
          Delivery settings
        </Button>
      )}
    </SpaceBetween>
  );
}

/** Switches to the leads of another form with the same filter. */
function FormSwitcher({ form }: { readonly form: Form }) {
  const forms = useForms().data?.forms ?? [];
  const archived = useArchivedForms().data?.forms ?? [];
  const [, go] = useLocation();
  const search = useSearch();
  const { here, options, isAlone } = formOptions(form, forms, archived);
  if (isAlone) return null;
  return (
    <div className="narrow-select">
      <Select
        ariaLabel="Form"
        selectedOption={here}
        options={options}
        filteringType={forms.length + archived.length > 10 ? 'auto' : 'none'}
        filteringAriaLabel="Find a form"
        onChange={({ detail }) => {
          const path = `/forms/${encodeURIComponent(detail.selectedOption.value ?? form.formId)}/leads`;
          go(search === '' ? path : `${path}?${search}`);
        }}
      />
    </div>
  );
}

/** The leads of one form that match the filter in the URL. */
function FormLeads({ form }: { readonly form: Form }) {
  const [address, setAddress] = useSearchParams();
  const filter = readFilter(address);
  const { leads, pages, restart } = useLeadPage(form.formId, filter);
  const choose = (chosen: LeadFilter) => {
    restart(chosen);
    setAddress(writeFilter(chosen), { replace: true });
  };
  const file = useExport({ path: `${leadsPath(form.formId)}/export`, name: form.slug });
  const notify = useNotify();
  const [erasing, setErasing] = useState<readonly string[]>();
  const [erased, setErased] = useState<string>();
  const heading = useRef<HTMLSpanElement>(null);
  const ask = (submissionIds: readonly string[]) => {
    setErased(undefined);
    setErasing(submissionIds);
  };
  const { parts = [], next } = leads.data ?? {};
  const pager = (
    <CursorPager
      // A second click while a page loads would skip it.
      pages={leads.isPlaceholderData ? { ...pages, older: () => undefined } : pages}
      next={next}
      what="leads"
    />
  );

  // The delete button is disabled now and can't get the focus back.
  useEffect(() => {
    if (erased !== undefined) heading.current?.focus();
  }, [erased]);

  const save = (wanted: ExportWanted) => void file.start(wanted, toQuery(filter, Date.now()));

  return (
    <SpaceBetween size="l">
      {form.archivedAt !== undefined && <ArchivedAlert archivedAt={form.archivedAt} />}
      <ExportProgress state={file.state} onStop={file.stop} onRetry={save} />
      {leads.error && !leads.data ? (
        <>
          <Failed error={leads.error} what="the leads" />
          {pager}
        </>
      ) : (
        <LeadsTable
          form={form}
          parts={parts}
          page={pages.number}
          loading={leads.isPending}
          mayHaveMore={next !== undefined}
          heading={heading}
          onErase={ask}
          filter={<FilterBar filter={filter} onChange={choose} />}
          empty={
            <LeadsEmpty
              form={form}
              isFiltered={isFiltered(filter)}
              isFirst={pages.isFirst}
              mayHaveMore={next !== undefined}
              onClear={() => choose({})}
            />
          }
          pagination={pager}
          exportMenu={(shownColumns) => (
            <ExportMenu
              isFiltered={isFiltered(filter)}
              busy={file.state.step === 'running'}
              shownColumns={shownColumns}
              onExport={save}
            />
          )}
          refresh={
            <Button
              iconName="refresh"
              ariaLabel="Refresh leads"
              loading={leads.isRefetching}
              onClick={() => void leads.refetch()}
            />
          }
        />
      )}
      {erasing && (
        <ConfirmErase
          submissionIds={erasing}
          onCancel={() => setErasing(undefined)}
          onDone={() => {
            const told = erasing.length === 1 ? 'Lead deleted.' : `${erasing.length} leads deleted.`;
            setErasing(undefined);
            setErased(told);
            notify('success', told);
          }}
        />
      )}
      <LiveRegion hidden>{erased}</LiveRegion>
    </SpaceBetween>
  );
}

function ArchivedAlert({ archivedAt }: { readonly archivedAt: string }) {
  return (
    <Alert type="info" header="This form is archived">
      Archived on <Moment at={archivedAt} />. All submissions are rejected. You can still view, export and
      delete its leads.
    </Alert>
  );
}

interface LeadsEmptyProps {
  readonly form: Form;
  readonly isFiltered: boolean;
  readonly isFirst: boolean;
  readonly mayHaveMore: boolean;
  readonly onClear: () => void;
}

function LeadsEmpty({ form, isFiltered, isFirst, mayHaveMore, onClear }: LeadsEmptyProps) {
  const [, go] = useLocation();
  const clear = <Button onClick={onClear}>Clear filter</Button>;
  if (mayHaveMore) {
    return (
      <Empty title="No matches yet" action={isFiltered && clear}>
        These leads don’t match. Older leads might.
      </Empty>
    );
  }
  if (!isFirst) return <Empty title="No older leads">You’ve reached the end.</Empty>;
  if (isFiltered) {
    return (
      <Empty title="No leads match" action={clear}>
        Try changing or clearing the filter.
      </Empty>
    );
  }
  if (form.archivedAt !== undefined) return <Empty title="No leads">This form is archived.</Empty>;
  const address = encodeURIComponent(form.formId);
  return (
    <Empty
      title="No leads yet"
      action={
        <div>
          <Button onClick={() => go(`/send-test?form=${address}`)}>Send test</Button>{' '}
          <Link href={`/forms/${address}/delivery`}>Delivery settings</Link>
        </div>
      }
    >
      Send a test lead, or connect a sender in Delivery settings.
    </Empty>
  );
}
