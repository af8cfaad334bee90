import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../api/queries.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { eraseLeads } from './erase-leads.ts';
import { forgetLeads, leadPath } from './use-leads.ts';

interface EraseLeadProps {
  readonly leadId: string;
  /** Where to go after deleting. */
  readonly back: string;
}

export function EraseLead({ leadId, back }: EraseLeadProps) {
  const [asking, setAsking] = useState(false);
  const [, go] = useLocation();
  const notify = useNotify();
  return (
    <>
      <Button onClick={() => setAsking(true)}>Delete</Button>
      {asking && (
        <ConfirmErase
          leadIds={[leadId]}
          onCancel={() => setAsking(false)}
          onDone={() => {
            go(back, { replace: true });
            notify('success', 'Lead deleted.');
          }}
        />
      )}
    </>
  );
}

interface ConfirmEraseProps {
  readonly leadIds: readonly string[];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function ConfirmErase({ leadIds, onDone, onCancel }: ConfirmEraseProps) {
  const erase = useEraseLeads(onDone);
  const many = leadIds.length > 1;
  return (
    <Confirm
      title={many ? `Delete ${leadIds.length} leads?` : 'Delete this lead?'}
      confirm="Delete"
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate(leadIds)}
      onCancel={onCancel}
    >
      <Box variant="p">This deletes the submitted data and enrichment. You can’t undo this.</Box>
      <Box variant="p">Overview counts still include {many ? 'these leads' : 'this lead'}.</Box>
      {erase.erased > 0 && many && (
        <Box variant="p">
          {erase.erased} of {leadIds.length} deleted.
        </Box>
      )}
    </Confirm>
  );
}

/** Deletes leads, then refetches everything shown, even after an error. */
function useEraseLeads(onDone: () => void) {
  const client = useClient();
  const queries = useQueryClient();
  const [erased, setErased] = useState(0);
  const mutation = useMutation({
    mutationFn: (leadIds: readonly string[]) => {
      setErased(0);
      return eraseLeads(client, leadIds, setErased);
    },
    onSuccess: (_, leadIds) => {
      onDone();
      forgetLeads(queries, leadIds);
      for (const leadId of leadIds) queries.removeQueries({ queryKey: [leadPath(leadId)] });
    },
    // Not awaited: the leads are deleted even if the list can't be refetched.
    onSettled: () => void queries.invalidateQueries(),
  });
  return { ...mutation, erased };
}
