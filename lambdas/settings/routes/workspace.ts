import { SCORE_BANDS } from '../../stats/stats-items.ts';
import { name, oneOf, optional, RANGE, rangeOf, readFields, text } from '../fields.ts';
import { type OwnerRoute, route } from '../owner-pipeline.ts';
import { created, notFound, ok } from '../problem.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';
import { listedToken } from '../views.ts';

export function workspaceRoutes({ usage }: Pick<SettingsDependencies, 'usage'>): OwnerRoute[] {
  return [
    route('GET /settings/workspace', async ({ workspaceId, principal, query, signal }) => {
      readFields(query, {});
      const workspace = await usage.read(workspaceId, signal);
      // An operator may have removed it while its owner was still signed in.
      if (!workspace) throw notFound();
      return ok({ ...workspace, ...(principal.kind === 'user' && { role: principal.role }) });
    }),
  ];
}

const QUERY = { ...RANGE, by: optional(oneOf(['hour', 'day'])) };

export function statsRoutes({ stats, now }: Pick<SettingsDependencies, 'stats' | 'now'>): OwnerRoute[] {
  return [
    route('GET /settings/stats', async ({ workspaceId, query, signal }) => {
      const { by: bucket = 'hour', ...range } = readFields(query, QUERY);
      const summary = await stats.summary({ workspaceId, bucket, ...rangeOf(range, now()) }, signal);
      return ok({ by: bucket, scoreBandsFrom: SCORE_BANDS, ...summary });
    }),
  ];
}

const NEW_TOKEN = { formId: text({ min: 1, max: 200 }), name: optional(name) };

export function tokenRoutes(
  dependencies: Pick<SettingsDependencies, 'administrationOf' | 'lastUses'>,
): OwnerRoute[] {
  const { administrationOf, lastUses } = dependencies;
  return [
    route('GET /settings/tokens', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      const [tokens, uses] = await Promise.all([
        administrationOf(workspaceId).listTokens(),
        lastUses.read(workspaceId, 'token#', signal),
      ]);
      return ok({ tokens: tokens.map((token) => listedToken(token, uses.get(`token#${token.tokenId}`))) });
    }),

    route('POST /settings/tokens', async ({ workspaceId, body }) => {
      const { formId, name: given } = readFields(body, NEW_TOKEN);
      const made = await administrationOf(workspaceId).createToken({
        formId,
        ...(given !== undefined && { name: given }),
      });
      // The one time that the token itself is in an answer.
      return created({ ...listedToken(made, undefined), token: made.token });
    }),

    route('DELETE /settings/tokens/{tokenId}', async ({ workspaceId, query, parameter }) => {
      readFields(query, {});
      const { tokenId, revokedAt } = await administrationOf(workspaceId).revokeToken(parameter('tokenId'));
      return ok({ tokenId, revokedAt });
    }),
  ];
}
