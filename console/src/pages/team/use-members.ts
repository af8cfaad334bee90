import type { Role } from '#owner-api/principal.ts';
import { useChange, useRead } from '../../api/queries.ts';
import type { Invitation, Member, Operations } from '../../api/schema.ts';

export type { Invitation, Member };

const MEMBERS_PATH = '/settings/members';
const pathOf = ({ memberId }: Member) => `${MEMBERS_PATH}/${encodeURIComponent(memberId)}`;

export const useMembers = (options?: { readonly enabled: boolean }) =>
  useRead<Operations['listMembers']['response']>(MEMBERS_PATH, {}, options);

export const useInvite = () =>
  useChange<'inviteMember'>((body) => ({ method: 'POST', path: MEMBERS_PATH, body }));

export const useChangeRole = (member: Member) =>
  useChange<'changeMember', Role>((role) => ({ method: 'PATCH', path: pathOf(member), body: { role } }));

export const useRemoveMember = (member: Member) =>
  useChange<'removeMember', { readonly revokeApiKeys: boolean }>(({ revokeApiKeys }) => ({
    method: 'DELETE',
    path: `${pathOf(member)}${revokeApiKeys ? '?revokeApiKeys=true' : ''}`,
  }));
