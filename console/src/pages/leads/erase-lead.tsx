import Box from '@cloudscape-design/components/box';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../api/queries.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { eraseLeads } from './erase-leads.ts';
import { forgetLeads } from './inbox/use-inbox.ts';
import { leadPath } from './use-lead.ts';

interface EraseLeadProps {
  readonly submissionId: string;
  /** Where to go after deleting. */
  readonly back: string;
}

export function EraseLead({ submissionId, back }: EraseLeadProps) {
  const [asking, setAsking] = useState(false);
  const [, go] = useLocation();
  const notify = useNotify();
  return (
    <>
      <OwnerButton onClick={() => setAsking(true)}>Delete</OwnerButton>
      {asking && (
        <ConfirmErase
          submissionIds={[submissionId]}
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
  readonly submissionIds: readonly string[];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function ConfirmErase({ submissionIds, onDone, onCancel }: ConfirmEraseProps) {
  const erase = useEraseLeads(onDone);
  const many = submissionIds.length > 1;
  return (
    <Confirm
      title={many ? `Delete ${submissionIds.length} leads?` : 'Delete this lead?'}
      confirm="Delete"
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate(submissionIds)}
      onCancel={onCancel}
    >
      <Box variant="p">This deletes the submitted data and enrichment. You can’t undo this.</Box>
      <Box variant="p">Overview counts still include {many ? 'these leads' : 'this lead'}.</Box>
      {erase.erased > 0 && many && (
        <Box variant="p">
          {erase.erased} of {submissionIds.length} deleted.
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
    mutationFn: (submissionIds: readonly string[]) => {
      setErased(0);
      return eraseLeads(client, submissionIds, setErased);
    },
    onSuccess: (_, submissionIds) => {
      onDone();
      forgetLeads(queries, submissionIds);
      for (const submissionId of submissionIds) queries.removeQueries({ queryKey: [leadPath(submissionId)] });
    },
    // Not awaited: the leads are deleted even if the list can't be refetched.
    onSettled: () => void queries.invalidateQueries(),
  });
  return { ...mutation, erased };
}
