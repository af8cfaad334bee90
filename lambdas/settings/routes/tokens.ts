import { created, ok } from '../../middleware/settings/answers.ts';
import { name, optional, readFields, text } from '../../middleware/settings/fields.ts';
import { type OwnerRoute, route } from '../../middleware/settings/route.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';
import { listedToken } from '../views.ts';

const NEW_TOKEN = { formId: text({ least: 1, most: 200 }), name: optional(name) };

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
