import Box from '@cloudscape-design/components/box';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '#console/api/queries.ts';
import type { ErasedLead, Erasure, Lead, Related, Request } from '#console/api/types.ts';
import { Confirm } from '#console/shared/dialogs.tsx';
import { forgetLeads } from '../inbox/use-inbox.ts';
import { leadsAddress } from '../leads-navigation.ts';
import { ErasedList, UnfinishedErasure } from './erasure-dialogs.tsx';
import { countByForm, erasePerson } from './people.ts';

interface ErasePersonProps {
  readonly lead: Lead;
  readonly email: string;
  readonly related: Related;
  readonly nameOf: (formId: string) => string;
  readonly onCancel: () => void;
}

type Decision = Request<'erasePerson'>['mentioned'];

/**
 * Asks, erases everything with the email address, lets the owner decide about leads that only mention it, then shows what
 * was erased. Rendered only while open.
 */
export function ErasePerson({ lead, email, related, nameOf, onCancel }: ErasePersonProps) {
  const client = useClient();
  const [erased, setErased] = useState<readonly ErasedLead[]>([]);
  const [last, setLast] = useState<{ readonly outcome: Erasure; readonly decision: Decision }>();
  const erase = useMutation({
    mutationFn: (decision: Decision) =>
      erasePerson(client, { email, cursor: last?.outcome.cursor, mentioned: decision }, (more) =>
        // What a failed attempt erased stays in the list.
        setErased((before) => [...before, ...more]),
      ),
    onSuccess: (outcome, decision) => setLast({ outcome, decision }),
  });
  const leave = useLeave(lead.formId, erased);
  const close = erased.length > 0 ? leave : onCancel;
  if (last?.outcome.complete) {
    const keptOthers = last.decision === 'keep';
    return <ErasedList erased={erased} keptOthers={keptOthers} nameOf={nameOf} onClose={close} />;
  }
  if (last) {
    return (
      <UnfinishedErasure
        email={email}
        outcome={last.outcome}
        erased={erased.length}
        busy={erase.isPending}
        error={erase.error}
        onDecide={(decision) => erase.mutate(decision)}
        onCheck={() => erase.mutate(last.decision)}
        onClose={close}
      />
    );
  }
  const forms = countByForm(related, lead);
  const leads = forms.reduce((sum, form) => sum + form.leads, 0);
  const which = `${related.more ? 'at least ' : ''}${leads} ${leads === 1 ? 'lead' : 'leads'}`;
  return (
    <Confirm
      title="Erase everything from this person?"
      confirm="Erase everything"
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate(undefined)}
      onCancel={close}
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
