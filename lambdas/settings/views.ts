import type { FormRecord, ListedForm } from '../stores/administration/forms.ts';
import type { TokenRecord } from '../stores/administration/tokens.ts';

/** What leaves the service. Attributes are named one by one: what a table gains later stays inside until it is named. */

export function webhookUrl(ingestUrl: string, slug: string): string {
  return `${ingestUrl}/api/v1/ingest/${encodeURIComponent(slug)}`;
}

export function listedForm(form: ListedForm, ingestUrl: string) {
  const { formId, name, slug, active, createdAt, archivedAt } = form;
  return { formId, name, slug, url: webhookUrl(ingestUrl, slug), active, createdAt, archivedAt };
}

export function wholeForm(form: FormRecord, ingestUrl: string) {
  const fields = (form.fields ?? []).map(({ key, label, role }) => ({ key, label, role }));
  return { ...listedForm(form, ingestUrl), fields, retentionDays: form.retentionDays ?? null };
}

export function listedToken(token: TokenRecord, lastUsedAt: string | undefined) {
  const { tokenId, formId, type, name, lastFour, createdAt, revokedAt } = token;
  return { tokenId, formId, type, name, lastFour, createdAt, lastUsedAt, revokedAt };
}
