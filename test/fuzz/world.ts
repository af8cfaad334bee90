import { createHmac, randomBytes } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { openContract, type Tenant } from '../contract/tenant.ts';

/** Who may send and who may not, all of it real: made in the stack that is tried. */
export interface World {
  /** So many that valid requests stay far below the limits of each workspace. */
  readonly tenants: readonly Tenant[];
  /** Tokens that were valid once, or are of another type. */
  readonly deadTokens: readonly string[];
  /** Forms that take nothing, whoever signs: suspended, inactive, without a secret. */
  readonly deadForms: readonly Pick<Tenant, 'slug' | 'secret'>[];
}

const TENANTS = 64;
const AT_ONCE = 8;

export async function makeWorld(
  { administration, client, tables, newTenant } = openContract(),
): Promise<World> {
  const tenants: Tenant[] = [];
  while (tenants.length < TENANTS) {
    tenants.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => newTenant()))));
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

/** Tenants that exist nowhere: for trying the machine itself. */
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

/** Signs as the specification says, and as nothing in the service does. */
export function sign(secret: string, timestamp: string, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}
