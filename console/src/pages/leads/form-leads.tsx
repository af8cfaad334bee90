import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Form } from '../../api/types.ts';
import { Failed } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { ArchivedAlert } from './archived-alert.tsx';
import { ConfirmErase } from './confirm-erase.tsx';
import { ExportMenu } from './export-menu.tsx';
import { ExportProgress } from './export-progress.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type LeadFilter, leavesOut, readFilter, writeFilter } from './lead-filter.ts';
import { LeadsEmpty } from './leads-empty.tsx';
import { LeadsTable } from './leads-table.tsx';
import { LoadMore } from './load-more.tsx';
import { useExport } from './use-export.ts';
import { useLeadPages } from './use-lead-pages.ts';

/** The leads of one form, as far as the filter in the address lets them through. */
export function FormLeads({ form }: { readonly form: Form }) {
  const [address, setAddress] = useSearchParams();
  const filter = readFilter(address);
  const choose = (chosen: LeadFilter) => setAddress(writeFilter(chosen), { replace: true });
  const leads = useLeadPages(form.formId, filter);
  const file = useExport(form);
  const notify = useNotify();
  const [erasing, setErasing] = useState<readonly string[]>();
  const pages = leads.data?.pages ?? [];
  const save = (format: 'csv' | 'ndjson') => void file.start(format, filter);

  return (
    <SpaceBetween size="l">
      {form.archivedAt !== undefined && <ArchivedAlert archivedAt={form.archivedAt} />}
      <ExportProgress state={file.state} onStop={file.stop} onRetry={save} />
      {leads.error && !leads.data ? (
        <Failed error={leads.error} what="the leads" onRetry={() => void leads.refetch()} />
      ) : (
        <LeadsTable
          form={form}
          pages={pages}
          loading={leads.isPending}
          mayHaveMore={leads.hasNextPage}
          onErase={setErasing}
          filter={<FilterBar filter={filter} onChange={choose} />}
          empty={
            <LeadsEmpty
              form={form}
              isFiltered={leavesOut(filter)}
              mayHaveMore={leads.hasNextPage}
              onClear={() => choose({})}
            />
          }
          footer={leads.hasNextPage || leads.error ? <LoadMore leads={leads} /> : undefined}
          exportMenu={
            <ExportMenu isFiltered={leavesOut(filter)} busy={file.state.step === 'running'} onExport={save} />
          }
          refresh={
            <Button
              iconName="refresh"
              ariaLabel="Refresh the leads"
              loading={leads.isRefetching && !leads.isFetchingNextPage}
              onClick={() => void leads.refetch()}
            />
          }
        />
      )}
      {erasing && (
        <ConfirmErase
          leadIds={erasing}
          onCancel={() => setErasing(undefined)}
          onDone={() => {
            setErasing(undefined);
            notify(
              'success',
              erasing.length === 1 ? 'The lead is deleted.' : `${erasing.length} leads are deleted.`,
            );
          }}
        />
      )}
    </SpaceBetween>
  );
}
