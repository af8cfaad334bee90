import { name, optional, readFields, text } from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { created, notFound, ok } from '../owner-api/problem.ts';
import type { OwnerAdministration } from './administration.ts';
import type {
  LastUseReader,
  ProviderUseReader,
  SecretDatesReader,
  WorkspaceUsageReader,
} from './usage-store.ts';
import { listedToken } from './views.ts';
import type { WebhookSender } from './webhook-sender.ts';

/** What the routes about forms, delivery and tokens need. */
export interface WorkspaceRouteDependencies {
  readonly administrationOf: (workspaceId: string) => OwnerAdministration;
  readonly usage: WorkspaceUsageReader;
  readonly secretDates: SecretDatesReader;
  readonly lastUses: LastUseReader;
  readonly providerUses: ProviderUseReader;
  readonly webhooks: WebhookSender;
  /** Where senders reach the service, without a slash at the end. */
  readonly ingestUrl: string;
  /** Where providers reach it in their own way, without a slash at the end. */
  readonly sourcesUrl: string;
  readonly now: () => number;
}

export function workspaceRoutes({ usage }: Pick<WorkspaceRouteDependencies, 'usage'>): OwnerRoute[] {
  return [
    route('getWorkspace', async ({ workspaceId, principal, query, signal }) => {
      readFields(query, {});
      const workspace = await usage.read(workspaceId, signal);
      // An operator may have removed it while its owner was still signed in.
      if (!workspace) throw notFound();
      return ok({ ...workspace, ...(principal.kind === 'user' && { role: principal.role }) });
    }),
  ];
}

const NEW_TOKEN = { formId: text({ min: 1, max: 200 }), name: optional(name) };

export function tokenRoutes(
  dependencies: Pick<WorkspaceRouteDependencies, 'administrationOf' | 'lastUses'>,
): OwnerRoute[] {
  const { administrationOf, lastUses } = dependencies;
  return [
    route('listTokens', async ({ workspaceId, query, signal }) => {
      readFields(query, {});
      const [tokens, uses] = await Promise.all([
        administrationOf(workspaceId).listTokens(),
        lastUses.read(workspaceId, 'token#', signal),
      ]);
      return ok({ tokens: tokens.map((token) => listedToken(token, uses.get(`token#${token.tokenId}`))) });
    }),

    route('createToken', async ({ workspaceId, body }) => {
      const { formId, name: given } = readFields(body, NEW_TOKEN);
      const made = await administrationOf(workspaceId).createToken({
        formId,
        ...(given !== undefined && { name: given }),
      });
      // The only response that contains the token itself.
      return created({ ...listedToken(made, undefined), token: made.token });
    }),

    route('revokeToken', async ({ workspaceId, query, parameter }) => {
      readFields(query, {});
      const { tokenId, revokedAt } = await administrationOf(workspaceId).revokeToken(parameter('tokenId'));
      return ok({ tokenId, revokedAt });
    }),
  ];
}
