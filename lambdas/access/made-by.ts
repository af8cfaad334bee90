import type { ApiKey } from './api-key.ts';
import type { Member } from './members-store.ts';

type Made = Pick<ApiKey, 'createdBy' | 'createdById'>;

export type KeyMaker = Pick<Member, 'memberId'> & Partial<Pick<Member, 'email'>>;

/** Keys of earlier versions have only the address of the owner who made them. */
export function isMadeBy({ createdBy, createdById }: Made, { memberId, email }: KeyMaker): boolean {
  if (createdById !== undefined) return createdById === memberId;
  return email !== undefined && createdBy.toLowerCase() === email.toLowerCase();
}
