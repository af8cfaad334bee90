import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { OwnerButton } from '#console/shared/role.tsx';
import { errorMessage } from '../../api/problem.ts';
import { useRead } from '../../api/queries.ts';
import type { ListedSender } from '../../api/types.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { type ExportFormat, ExportProgress, useExport } from '../leads/export/use-export.tsx';
import { LEARNED_PATH } from '../leads/review/review-words.ts';
import { LearnedPage } from './learned-page.tsx';
import { SendersTable, usePutSender } from './senders-table.tsx';

/** One chunk for both pages: the entry, which every page loads, lists the files of each chunk. */
export default function SendersPage({ learned = false }: { readonly learned?: boolean }) {
  return learned ? <LearnedPage /> : <AllSenders />;
}

/** Who is trusted and who is blocked, and the reviews as a file. */
function AllSenders() {
  const senders = useRead<{ senders: ListedSender[] }>('/settings/senders');
  const [adding, setAdding] = useState(false);
  const file = useExport();
  const follow = useFollow();
  const save = (format: ExportFormat) =>
    void file.start({ path: '/settings/reviews/export', name: 'reviewed-leads', format, query: {} });
  return (
    <Page
      title="Trusted and blocked senders"
      description="New leads from a trusted sender are clean, and those from a blocked sender are not, whatever their score. Reviewing a lead as “Not spam” or “Spam” adds its sender."
      above={[{ text: 'Leads', href: '/leads' }]}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button href={LEARNED_PATH} onFollow={follow}>
            Learned from your verdicts
          </Button>
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
        </SpaceBetween>
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

function AddSender({ onClose }: { readonly onClose: () => void }) {
  const notify = useNotify();
  const put = usePutSender();
  const [sender, setSender] = useState('');
  const [status, setStatus] = useState<ListedSender['status']>('trusted');
  const [asked, setAsked] = useState(false);
  const isMissing = sender.trim() === '';

  function send() {
    setAsked(true);
    if (isMissing) return;
    put.mutate(
      { sender: sender.trim(), status },
      {
        onSuccess: () => {
          notify('success', `${sender.trim()} is now ${status}.`);
          onClose();
        },
      },
    );
  }

  return (
    <FormDialog
      title="Add sender"
      action="Add"
      busy={put.isPending}
      problem={put.error ? errorMessage(put.error) : undefined}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
        <FormField
          label="Email address or domain"
          description="A domain stands for everybody at a company."
          constraintText="For example, ada@acme.com or acme.com. For free mail, such as gmail.com, add single addresses."
          errorText={asked && isMissing && 'Enter an email address or a domain.'}
        >
          <Input value={sender} inputMode="email" onChange={({ detail }) => setSender(detail.value)} />
        </FormField>
        <FormField label="New leads from this sender">
          <RadioGroup
            value={status}
            onChange={({ detail }) => setStatus(detail.value === 'blocked' ? 'blocked' : 'trusted')}
            items={[
              { value: 'trusted', label: 'Trusted', description: 'Always clean.' },
              { value: 'blocked', label: 'Blocked', description: 'Never clean. They are still stored.' },
            ]}
          />
        </FormField>
      </SpaceBetween>
    </FormDialog>
  );
}
