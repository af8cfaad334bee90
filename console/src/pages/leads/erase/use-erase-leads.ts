import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '#console/api/context.ts';
import { leadPath } from '../detail/use-lead.ts';
import { forgetLeads } from '../table/use-lead-pages.ts';
import { eraseLeads } from './erase-leads.ts';

/** Erases leads; afterwards, and also after a failure on the way, all that is shown is read anew. */
export function useEraseLeads(onDone: () => void) {
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
    // Not waited for: the leads are gone, whether or not the list can be read now.
    onSettled: () => void queries.invalidateQueries(),
  });
  return { ...mutation, erased };
}
