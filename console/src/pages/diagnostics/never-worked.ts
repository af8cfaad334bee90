import type { Client } from '../../api/client.ts';
import type { Delivery, Diagnostics, LeadPage, RecordedReason, Surface, Token } from '../../api/types.ts';

/** A sender of a form that has only been rejected since it was set up. Strangers can cause it, so nobody is alerted. */
export interface NeverWorked {
  readonly formId: string;
  readonly surface: Surface;
  readonly rejections: number;
  /** The newest. */
  readonly reason: RecordedReason;
}

const HOUR_MS = 60 * 60 * 1000;
/** As long as rejections are counted. */
const DAYS_BACK = 30;
/** More are not looked at, and not shown. */
const MAX_FORMS = 10;

interface Known {
  readonly deliveries: readonly Delivery[];
  readonly tokens: readonly Token[];
  /** On which surfaces a form has real leads, as far as that was asked: a rotated secret has no use of its own yet. */
  readonly leads: ReadonlyMap<string, ReadonlySet<string>>;
}

/** For each form and surface without a use, what was rejected since its credential was made. */
export function findNeverWorked(
  { rejected: { counts } }: Pick<Diagnostics, 'rejected'>,
  { deliveries, tokens, leads }: Known,
): NeverWorked[] {
  return deliveries.flatMap(({ formId, secret }) => {
    const all = tokens.filter((token) => token.formId === formId);
    const live = all.filter(({ revokedAt }) => revokedAt === undefined);
    const of = leads.get(formId) ?? new Set();
    const byToken = of.has('1a') || all.some(({ lastUsedAt }) => lastUsedAt !== undefined);
    const byWebhook = of.has('1b') || secret.lastUsedAt !== undefined;
    const isUsed = byToken || byWebhook || of.size > 0;
    const senders: readonly { surface: Surface; worked: boolean; since?: string | undefined }[] = [
      // A form without a secret may be meant for other senders, which work.
      { surface: '1b', worked: secret.isSet ? byWebhook : isUsed, since: secret.setAt },
      {
        surface: '1a',
        worked: byToken || live.length === 0,
        since: live.map((each) => each.createdAt).sort()[0],
      },
      { surface: '1c', worked: isUsed },
      { surface: '2', worked: isUsed },
    ];
    return senders.flatMap(({ surface, worked, since }) => {
      const from = since === undefined ? 0 : Math.floor(Date.parse(since) / HOUR_MS) * HOUR_MS;
      const its = counts.filter(
        (count) => count.formId === formId && count.surface === surface && Date.parse(count.at) >= from,
      );
      const [newest] = its.toSorted((a, b) => b.at.localeCompare(a.at) || b.count - a.count);
      if (worked || !newest) return [];
      const rejections = its.reduce((sum, { count }) => sum + count, 0);
      return { formId, surface, rejections, reason: newest.reason };
    });
  });
}

/** One request if nothing was rejected, three if all that was has worked before. */
export async function readNeverWorked(
  client: Pick<Client, 'get'>,
  nowMilliseconds: number,
  signal: AbortSignal,
): Promise<NeverWorked[]> {
  const from = new Date(nowMilliseconds - DAYS_BACK * 24 * HOUR_MS).toISOString();
  const diagnostics = await client.get<Diagnostics>('/settings/diagnostics', { from, by: 'hour' }, signal);
  if (diagnostics.rejected.counts.every(({ formId }) => formId === undefined)) return [];
  const [{ deliveries }, { tokens }] = await Promise.all([
    client.get<{ deliveries: Delivery[] }>('/settings/deliveries', {}, signal),
    client.get<{ tokens: Token[] }>('/settings/tokens', {}, signal),
  ]);
  const leads = new Map<string, ReadonlySet<string>>();
  for (const { formId } of findNeverWorked(diagnostics, { deliveries, tokens, leads })) {
    if (leads.has(formId)) continue;
    if (leads.size >= MAX_FORMS) break;
    const path = `/settings/forms/${encodeURIComponent(formId)}/leads`;
    const { rows } = await client.get<LeadPage>(path, {}, signal);
    leads.set(formId, new Set(rows.filter(({ test }) => !test).map(({ surface }) => surface)));
  }
  return findNeverWorked(diagnostics, { deliveries, tokens, leads }).filter(({ formId }) =>
    leads.has(formId),
  );
}
