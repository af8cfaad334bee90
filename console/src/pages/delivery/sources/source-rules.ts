import { ApiProblem } from '#console/api/problem.ts';
import type { DeliveryPreview, LeadPage, ProviderDelivery, RecordedReason } from '#console/api/types.ts';
import { canBeReplayed, PROVIDERS, type Provider } from '#sources/providers.ts';

/** How leads arrive at a form. A form can use several; the page shows one at a time. */
export type Way = 'code' | 'provider' | 'tool';

export const WAYS: readonly { readonly value: Way; readonly label: string; readonly description: string }[] =
  [
    {
      value: 'code',
      label: 'Your own code',
      description: 'Your server or website sends leads in the service’s own format.',
    },
    {
      value: 'provider',
      label: 'A provider',
      description: 'Typeform, Tally, Calendly, Stripe and others. Nothing to program.',
    },
    {
      value: 'tool',
      label: 'A tool',
      description: 'Zapier, Make, n8n or anything else that can set a header.',
    },
  ];

/** What the URL says, else what the form uses. Anchors lead to panels for your own code. */
export function wayOf(chosen: string | null, anchor: string, hasProvider: boolean): Way {
  const way = WAYS.find(({ value }) => value === chosen)?.value;
  if (way) return way;
  return hasProvider && anchor === '' ? 'provider' : 'code';
}

/** `any`: the sender names its events itself. */
export function eventChoice({ events }: Provider): 'none' | 'one' | 'some' | 'any' {
  if (!events) return 'none';
  if (events.choices.length === 0) return 'any';
  return events.choices.length === 1 ? 'one' : 'some';
}

/** Names of events contain no white space and no commas. */
export function readEvents(typed: string): string[] {
  return [...new Set(typed.split(/[\s,]+/).filter((name) => name !== ''))];
}

export type Outcome =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'lead'; readonly submissionId: string; readonly at: string }
  | { readonly kind: 'ignored'; readonly at: string }
  | { readonly kind: 'rejected'; readonly at: string; readonly reason: RecordedReason };

/**
 * The newest delivery. The leads say more exactly when one was accepted than `lastUsedAt` does, which tells whether any
 * came from this provider.
 */
export function latestOutcome(
  { lastUsedAt, lastIgnoredAt, lastRejection }: ProviderDelivery,
  rows: readonly Pick<LeadPage['rows'][number], 'submissionId' | 'receivedAt' | 'surface'>[],
): Outcome {
  const lead = lastUsedAt === undefined ? undefined : rows.find(({ surface }) => surface === '1c');
  const outcomes: Exclude<Outcome, { kind: 'waiting' }>[] = [
    ...(lead ? [{ kind: 'lead', submissionId: lead.submissionId, at: lead.receivedAt } as const] : []),
    ...(lastIgnoredAt === undefined ? [] : [{ kind: 'ignored', at: lastIgnoredAt } as const]),
    ...(lastRejection ? [{ kind: 'rejected', ...lastRejection } as const] : []),
  ];
  return outcomes.toSorted((a, b) => b.at.localeCompare(a.at))[0] ?? { kind: 'waiting' };
}

type Because = NonNullable<DeliveryPreview['because']>;

const IGNORED_BECAUSE: Readonly<Record<Because, string>> = {
  ping: 'It only tests whether the address works.',
  event_not_chosen: 'The form doesn’t make leads of this event.',
  rescheduled: 'It is a new date for somebody who already is a lead.',
  not_a_customer: 'It isn’t about a customer. Only customers become leads.',
};

/** Why a previewed example would make no lead. */
export function ignoredWords({
  because = 'ping',
  event,
}: Pick<DeliveryPreview, 'because' | 'event'>): string {
  const named = because === 'event_not_chosen' && event !== undefined ? ` The event is ${event}.` : '';
  return `${IGNORED_BECAUSE[because]}${named}`;
}

/** What owners should know before they rely on a provider. */
export function providerNotes(provider: Provider): string[] {
  const { displayName, failingWebhook } = provider;
  return [
    ...(failingWebhook === undefined
      ? []
      : [`${displayName} may ${FAILING[failingWebhook].may} a webhook that keeps failing.`]),
    ...(canBeReplayed(provider)
      ? [
          'No time is signed: a delivery that somebody has recorded can be sent again after 7 days, and makes a second lead.',
        ]
      : []),
  ];
}

const FAILING = {
  disabled: { may: 'disable', again: 'turn it on or create it again' },
  deleted: { may: 'delete', again: 'create it again' },
} as const;

/** What deactivating a form does to its provider's webhook. Undefined if nothing is known. */
export function deactivationWarning(name: string | undefined): string | undefined {
  const { displayName, failingWebhook } = PROVIDERS.get(name ?? '') ?? {};
  if (displayName === undefined || failingWebhook === undefined) return undefined;
  const { may, again } = FAILING[failingWebhook];
  return `While the form is inactive, deliveries from ${displayName} fail, and ${displayName} may ${may} a webhook that keeps failing. After you activate the form again, check the webhook there: you may have to ${again}.`;
}

/** A whole sentence from the API about the secret that was sent. */
export function secretProblem(error: unknown): string | undefined {
  return error instanceof ApiProblem
    ? error.fields.find(({ field }) => field === 'secret')?.problem
    : undefined;
}
