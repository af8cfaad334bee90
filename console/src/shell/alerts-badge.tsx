import { useEffect, useState } from 'react';
import { useRead } from '../api/queries.ts';
import type { AlertPage } from '../api/types.ts';

/** The page's own data comes first. */
const ASKED_AFTER_MS = 2_500;
/** They change by themselves, at most every five minutes. */
const REFRESH_MS = 60_000;

/** How many alerts are open that nobody has marked as seen. Nothing if there are none. */
export function AlertsBadge() {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), ASKED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  // The same query as that of the pages that list them.
  const { data } = useRead<AlertPage>(
    '/settings/alerts',
    { status: 'open' },
    { enabled, refetchInterval: REFRESH_MS },
  );
  const count = data?.alerts.filter(({ seen }) => seen === undefined).length ?? 0;
  if (count === 0) return null;
  return <span className="alerts-badge">{count} new</span>;
}
