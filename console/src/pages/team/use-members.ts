import type { Role } from '#owner-api/principal.ts';
import { useChange, useRead } from '../../api/queries.ts';

export interface Member {
  readonly memberId: string;
  readonly email: string;
  readonly role: Role;
  /** Invited people have not signed in yet. */
  readonly status: 'active' | 'invited';
  readonly invitedAt?: string;
  readonly joinedAt?: string;
  readonly isYou: boolean;
}

interface MemberList {
  readonly members: readonly Member[];
  readonly invitationsLeftToday: number;
}

const MEMBERS_PATH = '/settings/members';
const pathOf = ({ memberId }: Member) => `${MEMBERS_PATH}/${encodeURIComponent(memberId)}`;

export const useMembers = () => useRead<MemberList>(MEMBERS_PATH);

export interface Invitation {
  readonly email: string;
  readonly role: Role;
}

export const useInvite = () =>
  useChange<'inviteMember'>((body) => ({ method: 'POST', path: MEMBERS_PATH, body }));

export const useChangeRole = (member: Member) =>
  useChange<'changeMember', Role>((role) => ({ method: 'PATCH', path: pathOf(member), body: { role } }));

export const useRemoveMember = (member: Member) =>
  useChange<'removeMember', { readonly revokeApiKeys: boolean }>(({ revokeApiKeys }) => ({
    method: 'DELETE',
    path: `${pathOf(member)}${revokeApiKeys ? '?revokeApiKeys=true' : ''}`,
  }));
