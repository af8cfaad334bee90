import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../session/account.ts';

/** Whether the signed-in owner has a second factor. */
export const useSecondFactor = (account: Account) =>
  useQuery({ queryKey: ['second-factor'], queryFn: account.hasSecondFactor });
