import { checkAllowedOrigins } from '../browser/origins.ts';
import { RETENTION_DAYS } from '../model/lead-item.ts';
import {
  Fault,
  flag,
  flagText,
  group,
  line,
  listOf,
  name,
  nullable,
  oneOf,
  optional,
  readFields,
  readFieldsIfAny,
  text,
  wholeNumber,
} from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { created, ok, Problem } from '../owner-api/problem.ts';
import { problemOfChoice } from '../sources/choose-provider.ts';
import type { FormChanges } from './forms-store.ts';
import { listedForm, wholeForm } from './views.ts';
import type { WorkspaceRouteDependencies } from './workspace-routes.ts';

const ROLES = [
  'email',
  'phone',
  'name',
  'firstName',
  'lastName',
  'company',
  'message',
  'website',
  'country',
  'honeypot',
] as const;

const FIELD = {
  key: text({ min: 1, max: 200 }),
  label: optional(line({ min: 1, max: 100 })),
  role: optional(oneOf(ROLES)),
};

const MAX_FIELDS = 100;

const fieldList = listOf(FIELD, MAX_FIELDS);

/** Two entries for one key would give it two labels and two roles. */
function fieldConfiguration(value: unknown) {
  const fields = fieldList(value);
  for (const [index, { key }] of fields.entries()) {
    if (fields.findIndex((other) => other.key === key) < index) {
      throw new Fault('is configured twice', `[${index}].key`);
    }
  }
  return fields;
}

/** The pages that may send leads from browsers, as browsers write their origins. */
function originList(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Fault('must be a list');
  const entries = value.map((entry: unknown, index) => {
    if (typeof entry !== 'string') throw new Fault('must be text', `[${index}]`);
    return entry;
  });
  const checked = checkAllowedOrigins(entries);
  if (checked.origins) return checked.origins;
  throw new Fault(checked.problem, checked.index === undefined ? undefined : `[${checked.index}]`);
}

const CHOICE = group({ name: asSent, events: asSent });

function asSent(value: unknown): unknown {
  return value;
}

/** A provider and, unless its defaults are meant, its events; or null for none. */
function chosenProvider(value: unknown): NonNullable<FormChanges['provider']> | null {
  if (value === null) return null;
  const { name, events } = CHOICE(value);
  const found = problemOfChoice(name, events);
  if (found) throw new Fault(found.problem, `.${found.at}`);
  return { name: name as string, ...(events !== undefined && { events: events as string[] }) };
}

const LIST = { archived: optional(flagText) };

const CHANGES = {
  name: optional(name),
  fields: optional(fieldConfiguration),
  active: optional(flag),
  retentionDays: optional(nullable(wholeNumber(RETENTION_DAYS))),
  browser: optional(group({ enabled: optional(flag), origins: optional(originList) })),
  provider: optional(chosenProvider),
};

export function formRoutes(
  dependencies: Pick<WorkspaceRouteDependencies, 'administrationOf' | 'ingestUrl'>,
): OwnerRoute[] {
  const { administrationOf, ingestUrl } = dependencies;
  return [
    route('listForms', async ({ workspaceId, query }) => {
      const { archived = false } = readFields(query, LIST);
      const { listForms, listArchivedForms } = administrationOf(workspaceId);
      const forms = await (archived ? listArchivedForms() : listForms());
      return ok({ forms: forms.map((form) => listedForm(form, ingestUrl)) });
    }),

    route('createForm', async ({ workspaceId, body }) => {
      const given = readFields(body, { name });
      return created(wholeForm(await administrationOf(workspaceId).createForm(given.name), ingestUrl));
    }),

    route('getForm', async ({ workspaceId, query, parameter }) => {
      readFields(query, {});
      return ok(wholeForm(await administrationOf(workspaceId).form(parameter('formId')), ingestUrl));
    }),

    route('changeForm', async ({ workspaceId, body, parameter }) => {
      const changes = readFields(body, CHANGES);
      if (Object.values(changes).every((value) => value === undefined)) {
        const problem =
          'must contain at least one of name, fields, active, retentionDays, browser and provider';
        throw new Problem('invalid-request', { errors: [{ field: '', problem }] });
      }
      const form = await administrationOf(workspaceId).updateForm(parameter('formId'), changes);
      return ok(wholeForm(form, ingestUrl));
    }),

    route('archiveForm', async ({ workspaceId, body, parameter }) => {
      readFieldsIfAny(body, {});
      const form = await administrationOf(workspaceId).archiveForm(parameter('formId'));
      return ok(wholeForm(form, ingestUrl));
    }),
  ];
}
