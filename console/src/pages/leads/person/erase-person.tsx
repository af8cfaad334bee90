import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '#console/api/queries.ts';
import type { ErasedLead, Lead, Related } from '#console/api/types.ts';
import { Confirm } from '#console/shared/dialogs.tsx';
import { Moment } from '#console/shared/moment.tsx';
import { openSaveTarget } from '../export/use-export.tsx';
import { forgetLeads } from '../inbox/use-inbox.ts';
import { leadsAddress } from '../leads-navigation.ts';
import { countByForm, erasedAsCsv, erasePerson } from './people.ts';

interface ErasePersonProps {
  readonly lead: Lead;
  readonly email: string;
  readonly related: Related;
  readonly nameOf: (formId: string) => string;
  readonly onCancel: () => void;
}

/** Asks, erases everything with the email address, then shows what was erased. Rendered only while open. */
export function ErasePerson({ lead, email, related, nameOf, onCancel }: ErasePersonProps) {
  const client = useClient();
  const [erased, setErased] = useState<readonly ErasedLead[]>([]);
  const erase = useMutation({
    // What a failed attempt erased stays in the list.
    mutationFn: () => erasePerson(client, email, (more) => setErased((before) => [...before, ...more])),
  });
  const leave = useLeave(lead.formId, erased);
  if (erase.isSuccess) return <ErasedList erased={erased} nameOf={nameOf} onClose={leave} />;
  const forms = countByForm(related, lead);
  const leads = forms.reduce((sum, form) => sum + form.leads, 0);
  const which = `${related.more ? 'at least ' : ''}${leads} ${leads === 1 ? 'lead' : 'leads'}`;
  return (
    <Confirm
      title="Erase everything from this person?"
      confirm="Erase everything"
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onCancel={erased.length > 0 ? leave : onCancel}
    >
      <Box variant="p">
        This erases {which} with the email address <strong className="value">{email}</strong>, including the
        enrichment. You can’t undo this.
      </Box>
      <ul>
        {forms.map((form) => (
          <li key={form.formId}>
            <span className="value">{nameOf(form.formId)}</span>: {form.leads}
          </li>
        ))}
      </ul>
      <Box variant="p">Leads that only have the same phone number are kept.</Box>
      {erased.length > 0 && <Box variant="p">{erased.length} erased so far.</Box>}
    </Confirm>
  );
}

/** The page's lead is gone: back to the list, which must not show what was erased. */
function useLeave(formId: string, erased: readonly ErasedLead[]) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  return () => {
    go(leadsAddress(new URLSearchParams({ form: formId }).toString()), { replace: true });
    forgetLeads(
      queries,
      erased.map(({ submissionId }) => submissionId),
    );
    void queries.invalidateQueries();
  };
}

interface ErasedListProps {
  readonly erased: readonly ErasedLead[];
  readonly nameOf: (formId: string) => string;
  readonly onClose: () => void;
}

function ErasedList({ erased, nameOf, onClose }: ErasedListProps) {
  const csv = erasedAsCsv(erased);
  return (
    <Modal
      visible
      size="large"
      header={`Erased ${erased.length} ${erased.length === 1 ? 'lead' : 'leads'}`}
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <CopyToClipboard
              variant="button"
              textToCopy={csv}
              copyButtonText="Copy list"
              copySuccessText="Copied the list"
              copyErrorText="Couldn’t copy the list. Download it instead."
            />
            <Button onClick={() => void download(csv)}>Download list</Button>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box variant="p">
          No lead with this email address is left. If the person sent a form in the last minute, look again
          later. Keep this list if you need proof: it contains no personal data.
        </Box>
        <Table
          variant="embedded"
          items={erased}
          trackBy="submissionId"
          ariaLabels={{ tableLabel: 'Erased leads' }}
          wrapLines
          columnDefinitions={[
            { id: 'id', header: 'Submission ID', cell: ({ submissionId }) => submissionId },
            {
              id: 'form',
              header: 'Form',
              cell: ({ formId }) => <span className="value">{nameOf(formId)}</span>,
            },
            { id: 'received', header: 'Received', cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
          ]}
          empty="No leads"
        />
      </SpaceBetween>
    </Modal>
  );
}

async function download(csv: string): Promise<void> {
  const fileName = 'erased-leads.csv';
  const target = await openSaveTarget(fileName, 'text/csv');
  await target?.write(new TextEncoder().encode(csv));
  await target?.finish(fileName);
}
