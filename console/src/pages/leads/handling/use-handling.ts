import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient, useRead, useWorkspace } from '#console/api/queries.ts';
import type { Operations } from '#console/api/schema.ts';
import type { Lead } from '#console/api/types.ts';
import { INBOX_PATH } from '../inbox/inbox-filter.ts';
import { leadQuery } from '../use-lead.ts';

/** A lead that an owner looks at is no longer new. Viewers change nothing. A failure is repeated with the next visit. */
export function useMarkOpened(lead: Lead | undefined): void {
  const client = useClient();
  const queries = useQueryClient();
  const isOwner = useWorkspace().data?.role === 'owner';
  const submissionId = isOwner && lead?.status === 'new' ? lead.submissionId : undefined;
  useEffect(() => {
    if (submissionId === undefined) return;
    const mark = async () => {
      await client.change('POST', '/settings/leads/opened', { submissionIds: [submissionId] });
      const { queryKey } = leadQuery(client, submissionId);
      const opened = { at: new Date().toISOString(), by: 'you' } as const;
      queries.setQueryData(queryKey, (now) => now && { opened, ...now, status: 'open' as const });
      // The list asks again when it is shown.
      await queries.invalidateQueries({ queryKey: [INBOX_PATH], refetchType: 'none' });
    };
    mark().catch(() => undefined);
  }, [client, queries, submissionId]);
}

type Actor = Pick<NonNullable<Lead['handled']>, 'by' | 'byId'>;

/** Who did something: a member by their address, if it is known. */
export function useActorName({ by, byId }: Actor): string {
  const isMember = by === 'member' && byId !== undefined;
  const members = useRead<Operations['listMembers']['response']>(
    '/settings/members',
    {},
    { enabled: isMember },
  );
  if (by === 'you') return 'you';
  if (by === 'key') return 'an API key';
  return members.data?.members.find(({ memberId }) => memberId === byId)?.email ?? 'a team member';
}
