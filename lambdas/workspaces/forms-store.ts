import { PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../contract.ts';
import {
  type BrowserSending,
  base62,
  type ChosenProvider,
  type Form,
  makeSlug,
} from '../model/configuration.ts';
import type { FieldConfiguration } from '../model/lead-fields.ts';
import { RETENTION_DAYS } from '../model/lead-item.ts';
import { AdministrationError, requireName } from '../owner-api/errors.ts';
import type { Finder, Place } from '../owner-api/items-store.ts';
import { ifUnchanged, type Revised, revise } from '../owner-api/revise.ts';
import type { AdministrationContext, WorkspaceAdministration } from './workspaces-store.ts';

export interface FormRecord extends Form, Revised {
  readonly name: string;
  readonly createdAt: string;
  /** Permanently inactive. Its leads stay, and so does its slug, so that no other form receives what is sent there. */
  readonly archivedAt?: string;
}

/** A form without its fields configuration, which may be long. */
export type ListedForm = Omit<FormRecord, 'fields'>;

const FILTERS = {
  live: { FilterExpression: 'attribute_not_exists(archivedAt)' },
  archived: { FilterExpression: 'attribute_exists(archivedAt)' },
  all: {},
} as const;

export interface FormChanges {
  readonly name?: string | undefined;
  readonly fields?: readonly FieldConfiguration[] | undefined;
  readonly active?: boolean | undefined;
  /** For leads that come in from then on; null keeps them forever. */
  readonly retentionDays?: number | null | undefined;
  /** What is missing of it stays unchanged. */
  readonly browser?:
    | { readonly [Name in keyof BrowserSending]?: BrowserSending[Name] | undefined }
    | undefined;
  /** Null if leads no longer come from a provider. */
  readonly provider?: Pick<ChosenProvider, 'name' | 'events'> | null | undefined;
}

export type FormAdministration = ReturnType<typeof formAdministration>;

export function formAdministration(
  { client, tables, now, randomBytes }: AdministrationContext,
  workspaces: WorkspaceAdministration,
  find: Finder,
) {
  const place: Place = {
    table: tables.forms,
    byId: INDEXES.formsById,
    byWorkspaceAndId: INDEXES.formsByWorkspace,
    idName: 'formId',
    keyNames: ['slug', 'formId'],
  };

  async function create({ workspaceId, name }: { workspaceId: string; name: string }): Promise<FormRecord> {
    await workspaces.requireExisting(workspaceId);
    const form: FormRecord = {
      slug: makeSlug(requireName(name, 'a form'), Buffer.from(randomBytes(5)).toString('hex')),
      formId: `form_${base62(randomBytes(16))}`,
      workspaceId,
      name: name.trim(),
      active: true,
      createdAt: new Date(now()).toISOString(),
    };
    await client.send(
      new PutCommand({
        TableName: tables.forms,
        Item: { ...form, v: 1 },
        ConditionExpression: 'attribute_not_exists(slug)',
      }),
    );
    return form;
  }

  async function require(formId: string): Promise<FormRecord> {
    const form = await find<FormRecord>(place, formId);
    if (!form) throw new AdministrationError('not_found', `Form ${formId} not found.`);
    return form;
  }

  async function exists(formId: string): Promise<boolean> {
    return (await find<FormRecord>(place, formId)) !== undefined;
  }

  /** For changes that would revive an archived form. */
  async function requireLive(formId: string): Promise<FormRecord> {
    const form = await require(formId);
    if (form.archivedAt !== undefined) throw archived(formId);
    return form;
  }

  /** Oldest first, from an index: one that was made a moment ago may be missing. */
  async function list(workspaceId: string, which: keyof typeof FILTERS = 'live'): Promise<ListedForm[]> {
    const found: ListedForm[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: tables.forms,
        IndexName: INDEXES.formsByWorkspace,
        KeyConditionExpression: 'workspaceId = :workspaceId',
        ...FILTERS[which],
        ProjectionExpression: 'workspaceId, formId, slug, #name, active, createdAt, archivedAt',
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
      },
    );
    for await (const page of pages) found.push(...((page.Items ?? []) as ListedForm[]));
    return found.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  async function write(
    { slug, formId, workspaceId }: FormRecord,
    values: Readonly<Record<string, unknown>>,
    condition: string,
    conditionValues: Readonly<Record<string, unknown>> = {},
  ): Promise<FormRecord> {
    const names = Object.keys(values);
    // Null takes away what was set.
    const removed = names.filter((name) => values[name] === null);
    const assigned = names.filter((name) => values[name] !== null);
    // A form is archived once: the first date stays.
    const assign = (name: string) =>
      name === 'archivedAt' ? '#archivedAt = if_not_exists(#archivedAt, :archivedAt)' : `#${name} = :${name}`;
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: tables.forms,
        Key: { slug, formId },
        UpdateExpression: [
          `SET ${assigned.map(assign).join(', ')}`,
          ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
        ].join(' '),
        ConditionExpression: `attribute_exists(slug) AND ${condition}`,
        // `name` and `fields` are among DynamoDB's reserved words.
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(assigned.map((name) => [`:${name}`, values[name]])),
          ...conditionValues,
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    await workspaces.raiseConfigVersion(workspaceId);
    return Attributes as FormRecord;
  }

  /** Missing properties stay unchanged. */
  async function update(formId: string, changes: FormChanges): Promise<FormRecord> {
    const { name, fields, active, retentionDays, browser, provider } = changes;
    requireRetention(retentionDays);
    return revise(
      () => requireLive(formId),
      async (form) => {
        const values = {
          ...(name !== undefined && { name: requireName(name, 'a form') }),
          ...(fields !== undefined && { fields }),
          ...(active !== undefined && { active }),
          ...(retentionDays !== undefined && { retentionDays }),
          ...(browser !== undefined && { browser: changedBrowserSending(form.browser, browser) }),
          ...(provider !== undefined && {
            provider: provider && changedProvider(form.provider, provider, new Date(now()).toISOString()),
          }),
        };
        if (Object.keys(values).length === 0) return form;
        const since = ifUnchanged(form);
        return write(form, { ...values, revision: since.next }, since.condition, since.values);
      },
    );
  }

  /** Permanent, so it may be repeated: that raises the version again, in case the first try was cut short. */
  async function archive(formId: string): Promise<FormRecord> {
    return revise(
      () => require(formId),
      (form) => {
        const since = ifUnchanged(form);
        const values = { active: false, archivedAt: new Date(now()).toISOString(), revision: since.next };
        return write(form, values, since.condition, since.values);
      },
    );
  }

  async function setActive({ formId, active }: { formId: string; active: boolean }) {
    const { slug, workspaceId } = await update(formId, { active });
    return { formId, slug, workspaceId, active };
  }

  async function setRetention(retention: { formId: string; retentionDays: number | null }) {
    const { formId, retentionDays } = retention;
    const { slug, workspaceId } = await update(formId, { retentionDays });
    return { formId, slug, workspaceId, retentionDays };
  }

  async function setBrowser({
    formId,
    ...changes
  }: { formId: string } & NonNullable<FormChanges['browser']>) {
    const { slug, workspaceId, browser } = await update(formId, { browser: changes });
    return { formId, slug, workspaceId, browser: changedBrowserSending(browser, {}) };
  }

  return { create, require, exists, requireLive, list, update, archive, setActive, setRetention, setBrowser };
}

function changedBrowserSending(
  before: BrowserSending | undefined,
  {
    enabled = before?.enabled ?? false,
    origins = before?.origins ?? [],
  }: NonNullable<FormChanges['browser']>,
): BrowserSending {
  return { enabled, origins };
}

/** Other events of the same provider leave the time at which it was chosen. */
function changedProvider(
  before: ChosenProvider | undefined,
  { name, events }: NonNullable<FormChanges['provider']>,
  now: string,
): ChosenProvider {
  const chosenAt = before?.name === name ? before.chosenAt : now;
  return { name, ...(events && { events }), ...(chosenAt !== undefined && { chosenAt }) };
}

function requireRetention(days: number | null | undefined): void {
  if (days === undefined || days === null) return;
  const { min, max } = RETENTION_DAYS;
  if (!Number.isInteger(days) || days < min || days > max) {
    throw new AdministrationError('invalid', `Leads can be kept for ${min} to ${max} days, or forever.`);
  }
}

function archived(formId: string): AdministrationError {
  return new AdministrationError('conflict', `Form ${formId} is archived. Archiving can't be undone.`);
}
