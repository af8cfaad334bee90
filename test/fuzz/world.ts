import { createHmac, randomBytes } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { openContract, type Tenant } from '../contract/tenant.ts';

/** Tenants that may and may not send, created in the stack under test. */
export interface World {
  /** Enough that valid requests stay far below the limits of each workspace. */
  readonly tenants: readonly Tenant[];
  /** Revoked tokens, or tokens of another type. */
  readonly deadTokens: readonly string[];
  /** Forms that accept nothing: suspended, inactive, without a secret. */
  readonly deadForms: readonly Pick<Tenant, 'slug' | 'secret'>[];
}

const TENANTS = 64;
const CONCURRENCY = 8;

export async function makeWorld(
  { administration, client, tables, newTenant } = openContract(),
): Promise<World> {
  const tenants: Tenant[] = [];
  while (tenants.length < TENANTS) {
    tenants.push(...(await Promise.all(Array.from({ length: CONCURRENCY }, () => newTenant()))));
  }
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
  return { tenants, deadTokens: [first.token], deadForms: [second] };
}

/** Signs by the specification. Shares no code with the service. */
export function sign(secret: string, timestamp: string, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}
