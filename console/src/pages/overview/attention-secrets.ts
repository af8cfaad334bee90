import type { Delivery, Diagnostics, ListedForm, Token, Workspace } from '../../api/types.ts';
import { formNames } from '../../shared/forms.ts';

export type Severity = 'error' | 'warning' | 'info';

/** The loaded data. Rules skip missing data. */
export interface OverviewData {
  readonly workspace: Workspace | undefined;
  readonly forms: readonly ListedForm[] | undefined;
  readonly deliveries: readonly Delivery[] | undefined;
  readonly tokens: readonly Token[] | undefined;
  /** Hourly, for at least one day. */
  readonly diagnostics: Diagnostics | undefined;
  readonly now: number;
}

/** An alert and where to fix it. */
export interface Attention {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
  /** An event shown with its time after the detail. */
  readonly since?: { readonly what: string; readonly at: string };
  readonly link: { readonly text: string; readonly href: string };
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Only a note for forms that receive leads by server token, since they may not need a secret. */
export function formsWithoutSecret(known: OverviewData): Attention[] {
  const { forms = [], deliveries = [], tokens } = known;
  const names = formNames(forms);
  const withoutSecret = new Set(deliveries.filter(({ secret }) => !secret.isSet).map(({ formId }) => formId));
  const withToken = new Set(tokens?.filter(({ revokedAt }) => !revokedAt).map(({ formId }) => formId));
  const rejected = rejectedForWantOfSecret(known);
  return forms
    .filter(({ formId, active }) => active && withoutSecret.has(formId))
    .map(({ formId }) => ({
      id: `secret-${formId}`,
      ...withoutSecretWords(rejected.get(formId) ?? 0, tokens && withToken.has(formId)),
      title: `“${names.get(formId)}” has no webhook secret`,
      link: { text: 'Set webhook secret', href: `/forms/${formId}/delivery` },
    }));
}

function withoutSecretWords(
  rejected: number,
  byToken: boolean | undefined,
): Pick<Attention, 'severity' | 'detail'> {
  if (rejected > 0) {
    const detail = `All webhooks are rejected: ${rejected} in the last 24 hours.`;
    return { severity: 'error', detail };
  }
  if (byToken)
    return {
      severity: 'info',
      detail: 'It receives leads by server token. Set a webhook secret only if you want to use webhooks.',
    };
  return {
    severity: 'warning',
    detail:
      byToken === undefined
        ? 'Webhooks are rejected until you set one.'
        : 'It has no server token either, so it can’t receive leads yet.',
  };
}

function rejectedForWantOfSecret({ diagnostics, now }: Pick<OverviewData, 'diagnostics' | 'now'>) {
  const sums = new Map<string, number>();
  for (const { at, reason, formId, count } of diagnostics?.rejected.counts ?? []) {
    const isRecent = Date.parse(at) > now - DAY_MS;
    if (isRecent && reason === 'secret_not_configured' && formId !== undefined)
      sums.set(formId, (sums.get(formId) ?? 0) + count);
  }
  return sums;
}

/** Senders that still use the previous secret are rejected when its grace period ends. */
export function endingRotations({ forms = [], deliveries = [], now }: OverviewData): Attention[] {
  const names = formNames(forms);
  return deliveries.flatMap((delivery): Attention[] => {
    const { formId } = delivery;
    if (!('previousSecret' in delivery) || !delivery.previousSecret || !names.has(formId)) return [];
    const { secret, previousSecret } = delivery;
    const endsAt = Date.parse(previousSecret.worksUntil);
    const left = endsAt - now;
    if (left <= 0 || left > toldBefore(endsAt - Date.parse(secret.setAt))) return [];
    const use = previousUseWords(previousSecret.lastUsedAt, secret);
    if (!use) return [];
    return [
      {
        id: `rotation-${formId}`,
        severity: 'warning',
        title: `The previous webhook secret of “${names.get(formId)}” expires ${within(left)}`,
        ...use,
        link: { text: 'View webhook secrets', href: `/forms/${formId}/delivery` },
      },
    ];
  });
}

/** Warn in the last quarter of the grace period, at least one hour and at most one day before it ends. */
function toldBefore(grace: number): number {
  return Math.min(DAY_MS, Math.max(HOUR_MS, grace / 4));
}

/** A use before the rotation matters only until the new secret is used. */
function previousUseWords(
  lastUsedAt: string | undefined,
  secret: { readonly setAt: string; readonly lastUsedAt: string | undefined },
): Pick<Attention, 'detail' | 'since'> | undefined {
  if (lastUsedAt === undefined) return undefined;
  if (lastUsedAt >= secret.setAt)
    return {
      detail: 'A sender still uses it and will be rejected. Give that sender the new secret.',
      since: { what: 'Last used', at: lastUsedAt },
    };
  if (secret.lastUsedAt !== undefined) return undefined;
  return {
    detail: 'The new secret hasn’t been used yet. Give it to every sender.',
    since: { what: 'The previous secret was last used before the rotation:', at: lastUsedAt },
  };
}

function within(milliseconds: number): string {
  const hours = Math.ceil(milliseconds / HOUR_MS);
  return hours === 1 ? 'within the hour' : `within ${hours} hours`;
}
