import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { OwnerButton } from '#console/shared/role.tsx';
import { useRead } from '../../api/queries.ts';
import type { ListedSender } from '../../api/types.ts';
import { QueryResult } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { type ExportFormat, ExportProgress, useExport } from '../leads/export/use-export.tsx';
import { AddSender } from './add-sender.tsx';
import { SendersTable } from './senders-table.tsx';

/** Who is trusted and who is blocked, and the reviews as a file. */
export default function SendersPage() {
  const senders = useRead<{ senders: ListedSender[] }>('/settings/senders');
  const [adding, setAdding] = useState(false);
  const file = useExport();
  const save = (format: ExportFormat) =>
    void file.start({ path: '/settings/reviews/export', name: 'reviewed-leads', format, query: {} });
  return (
    <Page
      title="Trusted and blocked senders"
      description="New leads from a trusted sender are clean, and those from a blocked sender are not, whatever their score. Reviewing a lead as “Not spam” or “Spam” adds its sender."
      above={[{ text: 'Leads', href: '/leads' }]}
      actions={
        <ButtonDropdown
          loading={file.state.step === 'running'}
          loadingText="Exporting"
          items={[
            {
              id: 'ndjson',
              text: 'NDJSON',
              secondaryText: 'For programs: one lead per line, with your verdict',
            },
            { id: 'csv', text: 'CSV', secondaryText: 'For spreadsheets' },
          ]}
          onItemClick={({ detail }) => save(detail.id === 'csv' ? 'csv' : 'ndjson')}
        >
          Export reviewed leads
        </ButtonDropdown>
      }
    >
      <SpaceBetween size="l">
        <ExportProgress state={file.state} onStop={file.stop} onRetry={({ format }) => save(format)} />
        <QueryResult of={senders} what="the senders">
          {({ senders: listed }) => (
            <SendersTable
              senders={listed}
              header={
                <Header
                  variant="h2"
                  counter={`(${listed.length})`}
                  actions={
                    <OwnerButton variant="primary" onClick={() => setAdding(true)}>
                      Add sender
                    </OwnerButton>
                  }
                >
                  Senders
                </Header>
              }
              onAdd={() => setAdding(true)}
            />
          )}
        </QueryResult>
        {adding && <AddSender onClose={() => setAdding(false)} />}
      </SpaceBetween>
    </Page>
  );
}
