import type { ActivityReader } from '../owner-api/activity-store.ts';
import { decodeActivityCursor, encodeActivityCursor } from '../owner-api/cursor.ts';
import {
  cursor,
  listOfTexts,
  name,
  oneOf,
  optional,
  readFields,
  wholeNumberText,
} from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { created, ok } from '../owner-api/problem.ts';
import { SCOPES } from '../owner-api/scopes.ts';
import { listedKey } from './api-key.ts';
import type { ApiKeys } from './api-keys-store.ts';

export interface AccessRouteDependencies {
  readonly apiKeysOf: (workspaceId: string) => ApiKeys;
  readonly activityReader: ActivityReader;
}

const NEW_KEY = { name, scopes: listOfTexts(oneOf(SCOPES), SCOPES.length) };

/** Keys for programs. */
export function apiKeyRoutes({ apiKeysOf }: Pick<AccessRouteDependencies, 'apiKeysOf'>): OwnerRoute[] {
  return [
    route('listApiKeys', async ({ workspaceId, query }) => {
      readFields(query, {});
      return ok({ apiKeys: (await apiKeysOf(workspaceId).list()).map(listedKey) });
    }),

    route('createApiKey', async ({ workspaceId, principal, body }) => {
      const wanted = readFields(body, NEW_KEY);
      const { record, apiKey } = await apiKeysOf(workspaceId).create({
        ...wanted,
        createdBy: principal.name,
        createdById: principal.id,
      });
      // The only response that contains the key itself.
      return created({ ...listedKey(record), apiKey });
    }),

    route('revokeApiKey', async ({ workspaceId, query, parameter }) => {
      readFields(query, {});
      return ok(await apiKeysOf(workspaceId).revoke(parameter('keyId')));
    }),
  ];
}

const PAGE = { cursor, limit: optional(wholeNumberText({ min: 1, max: 100 })) };

/** Who changed what. */
export function activityRoutes({
  activityReader,
}: Pick<AccessRouteDependencies, 'activityReader'>): OwnerRoute[] {
  return [
    route('listActivity', async ({ workspaceId, query, signal }) => {
      const { cursor: from, limit = 50 } = readFields(query, PAGE);
      const before = from === undefined ? undefined : decodeActivityCursor(from);
      const { activity, next } = await activityReader.page(workspaceId, { limit, before }, signal);
      return ok({ activity, ...(next !== undefined && { cursor: encodeActivityCursor(next) }) });
    }),
  ];
}
