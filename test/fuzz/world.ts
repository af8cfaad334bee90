import { randomBytes } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { PROVIDER_NAMES, type ProviderName } from '#sources/providers.ts';
import { openContract, type Tenant } from '../contract/tenant.ts';

/** Its form takes leads from a provider. */
export interface SourceTenant extends Tenant {
  readonly provider: ProviderName;
  readonly providerSecret: string;
}

/** Tenants that may and may not send, created in the stack under test. */
export interface World {
  /** Enough that valid requests stay far below the limits of each workspace. */
  readonly tenants: readonly Tenant[];
  /** For Surface 1c, some of every provider. */
  readonly sources: readonly SourceTenant[];
  /** Suspended and inactive, with the right secret. */
  readonly deadSources: readonly SourceTenant[];
  /** Revoked tokens, or tokens of another type. */
  readonly deadTokens: readonly string[];
  /** Forms that accept nothing: suspended, inactive, without a secret. */
  readonly deadForms: readonly Pick<Tenant, 'slug' | 'secret'>[];
}

const TENANTS = 64;
const SOURCES_PER_PROVIDER = 3;
const CONCURRENCY = 8;

export async function makeWorld(
  { administration, client, tables, newTenant } = openContract(),
): Promise<World> {
  const tenants: Tenant[] = [];
  while (tenants.length < TENANTS) {
    tenants.push(...(await Promise.all(Array.from({ length: CONCURRENCY }, () => newTenant()))));
  }
  const newSource = async (provider: ProviderName): Promise<SourceTenant> => {
    const source = asSource(await newTenant(), provider);
    await administration.setFormProvider(source.formId, { name: provider });
    await administration.setProviderSecret({ formId: source.formId, secret: source.providerSecret });
    return source;
  };
  const sources: SourceTenant[] = [];
  for (let round = 0; round < SOURCES_PER_PROVIDER; round += 1) {
    sources.push(...(await Promise.all(PROVIDER_NAMES.map(newSource))));
  }
  const [suspendedSource, inactiveSource] = await Promise.all([newSource('stripe'), newSource('typeform')]);
  await administration.suspendWorkspace(suspendedSource.workspaceId);
  await administration.setFormActive({ formId: inactiveSource.formId, active: false });
  const [suspended, inactive, withoutSecret, revoked] = await Promise.all([
    newTenant(),
    newTenant(),
    newTenant(),
    newTenant(),
  ]);
  const browser = await administration.createToken({ formId: revoked.formId, type: 'browser' });
  await administration.suspendWorkspace(suspended.workspaceId);
  await administration.setFormActive({ formId: inactive.formId, active: false });
  await administration.revokeToken(revoked.tokenId);
  const { slug, formId } = withoutSecret;
  await client.send(new DeleteCommand({ TableName: tables.formSecrets, Key: { slug, formId } }));
  return {
    tenants,
    sources,
    deadSources: [suspendedSource, inactiveSource],
    deadTokens: [suspended.token, inactive.token, revoked.token, browser.token],
    deadForms: [suspended, inactive, withoutSecret],
  };
}

/** Tenants that don't exist, for tests of the fuzzer itself. */
export function makeImaginaryWorld(): World {
  const imagine = (at: number): Tenant => ({
    workspaceId: `ws_${at}`,
    formId: `form_${at}`,
    slug: `contact-${at}`,
    secret: `whsec_${randomBytes(16).toString('hex')}`,
    token: `ingt_srv_${randomBytes(16).toString('hex')}`,
    tokenId: `tok_${at}`,
  });
  const [first, second, ...tenants] = [imagine(1), imagine(2), imagine(3), imagine(4)];
  const sources = PROVIDER_NAMES.map((provider, at) => asSource(imagine(at + 5), provider));
  const deadSources = [asSource(imagine(99), 'stripe')];
  return { tenants, sources, deadSources, deadTokens: [first.token], deadForms: [second] };
}

function asSource(tenant: Tenant, provider: ProviderName): SourceTenant {
  // Valid for every provider: long enough, and base64 after the prefix.
  return { ...tenant, provider, providerSecret: `whsec_${randomBytes(24).toString('base64')}` };
}
