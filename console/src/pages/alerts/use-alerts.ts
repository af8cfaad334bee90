import { useRead } from '../../api/queries.ts';
import type { AlertPage } from '../../api/types.ts';
import { ALERTS_PATH } from './alert-words.ts';

/** They change by themselves, at most every five minutes. */
export const REFRESH = { refetchInterval: 60_000 };

export const useOpenAlerts = () => useRead<AlertPage>(ALERTS_PATH, { status: 'open' }, REFRESH);
