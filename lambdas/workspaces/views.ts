import type { Workspace } from '../model/configuration.ts';
import type { AnySurface } from '../model/limits.ts';
import type { FormRecord, ListedForm } from './forms-store.ts';
import type { TokenRecord } from './tokens-store.ts';

/** What leaves the service. Attributes are listed one by one, so that new ones stay inside until listed. */

export interface WindowUse {
  readonly used: number;
  readonly limit: number;
  readonly endsAt: string;
}

export interface WorkspaceUsage {
  readonly workspaceId: string;
  readonly name: string;
  readonly status: Workspace['status'];
  readonly surfaces: readonly {
    readonly surface: AnySurface;
    readonly minute: WindowUse;
    readonly day: WindowUse;
  }[];
}

export function webhookUrl(ingestUrl: string, slug: string): string {
  return `${ingestUrl}/api/v1/ingest/${encodeURIComponent(slug)}`;
}

export function listedForm(form: ListedForm, ingestUrl: string) {
  const { formId, name, slug, active, createdAt, archivedAt } = form;
  return { formId, name, slug, url: webhookUrl(ingestUrl, slug), active, createdAt, archivedAt };
}

export function wholeForm(form: FormRecord, ingestUrl: string) {
  const fields = (form.fields ?? []).map(({ key, label, role }) => ({ key, label, role }));
  const { retentionDays = null, browser, provider } = form;
  const { enabled = false, origins = [] } = browser ?? {};
  return {
    ...listedForm(form, ingestUrl),
    fields,
    retentionDays,
    browser: { enabled, origins },
    provider: provider ? { name: provider.name, events: provider.events } : null,
  };
}

export function listedToken(token: TokenRecord, lastUsedAt: string | undefined) {
  const { tokenId, formId, type, name, lastFour, createdAt, revokedAt } = token;
  return { tokenId, formId, type, name, lastFour, createdAt, lastUsedAt, revokedAt };
}

/** What owners may know about a form's secrets. The dates belong to the secrets. */
export interface SecretDates {
  /** Absent if the form has only the secret of its provider. */
  readonly setAt?: string;
  readonly previousEndsAtMilliseconds?: number;
}

/** When tokens and secrets were last used, to about a minute, by `token#<id>` and `secret#<form>#current|previous`. */
export type LastUses = ReadonlyMap<string, string>;

interface Known {
  /** Not there when the form has no secret. */
  readonly secret: SecretDates | undefined;
  readonly uses: LastUses;
  readonly ingestUrl: string;
  readonly nowMilliseconds: number;
}

/** What owners may know about a form's secrets: whether they exist, and when they were used. */
export function deliveryView({ formId, slug }: Pick<ListedForm, 'formId' | 'slug'>, known: Known) {
  const address = { formId, url: webhookUrl(known.ingestUrl, slug) };
  return { ...address, ...secretsView(formId, known) };
}

function secretsView(formId: string, { secret, uses, nowMilliseconds }: Omit<Known, 'ingestUrl'>) {
  if (secret?.setAt === undefined) return { secret: { isSet: false } };
  const { setAt, previousEndsAtMilliseconds: endsAt = 0 } = secret;
  const current = uses.get(`secret#${formId}#current`);
  const previous = uses.get(`secret#${formId}#previous`);
  // Uses are kept by role: what was used as the current secret before this one was set is the previous one's.
  const isOfThisSecret = (usedAt: string | undefined) => usedAt !== undefined && usedAt >= setAt;
  const beforeRotation = isOfThisSecret(current) ? undefined : current;
  return {
    secret: { isSet: true, setAt, lastUsedAt: isOfThisSecret(current) ? current : undefined },
    ...(nowMilliseconds < endsAt && {
      previousSecret: {
        worksUntil: new Date(endsAt).toISOString(),
        lastUsedAt: isOfThisSecret(previous) ? previous : beforeRotation,
      },
    }),
  };
}
