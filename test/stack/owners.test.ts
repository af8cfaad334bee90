import { describe, expect, test } from '@jest/globals';
import { synthesise } from './synthesise.ts';

const POOL = 'AWS::Cognito::UserPool';
const CLIENT = 'AWS::Cognito::UserPoolClient';
const dev = synthesise('dev');
const prod = synthesise('prod');
const pool = prod.findResources(POOL).Owners?.Properties;
const clients = Object.values(prod.findResources(CLIENT)).map(({ Properties }) => Properties);

test.each([
  ['dev', dev],
  ['prod', prod],
] as const)('in %s pool and client keep their logical ids: else every owner were gone', (_, template) => {
  expect(Object.keys(template.findResources(POOL))).toEqual(['Owners']);
  expect(Object.keys(template.findResources(CLIENT))).toEqual(['OwnersClient']);
});

test('the pool stays in prod, whatever is deployed, and may be deleted in dev', () => {
  const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
  prod.hasResource(POOL, { ...kept, Properties: { DeletionProtection: 'ACTIVE' } });
  prod.hasResource(CLIENT, kept);
  dev.hasResource(POOL, { DeletionPolicy: 'Delete', Properties: { DeletionProtection: 'INACTIVE' } });
});

describe('the workspace of an owner', () => {
  const attribute = pool.Schema.find(({ Name }: { Name: string }) => Name === 'workspace_id');

  test('cannot change once it is set', () => {
    expect(attribute).toMatchObject({ AttributeDataType: 'String', Mutable: false });
  });

  test.each(clients)('can be read and not written with a token of client $#', (client) => {
    // Absent would mean every attribute.
    expect(client.WriteAttributes).toEqual(['email']);
    expect(client.ReadAttributes).toContain('custom:workspace_id');
  });
});

describe('the pool', () => {
  test('takes no sign-up: operators invite', () => {
    expect(pool.AdminCreateUserConfig.AllowAdminCreateUserOnly).toBe(true);
  });

  test('signs in by email address, in any case', () => {
    expect(pool.UsernameAttributes).toEqual(['email']);
    expect(pool.UsernameConfiguration).toEqual({ CaseSensitive: false });
  });

  test('asks for a strong password', () => {
    expect(pool.Policies.PasswordPolicy).toMatchObject({
      MinimumLength: 12,
      RequireLowercase: true,
      RequireUppercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
    });
  });

  test('offers a second factor, by app and never by SMS', () => {
    expect(pool).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
    expect(pool.SmsConfiguration).toBeUndefined();
  });

  test('gives a lost account back by email alone', () => {
    const [mechanism, ...others] = pool.AccountRecoverySetting.RecoveryMechanisms;
    expect(mechanism).toMatchObject({ Name: 'verified_email' });
    expect(others).toEqual([]);
  });

  test('keeps the old address until the new one is verified', () => {
    expect(pool.UserAttributeUpdateSettings.AttributesRequireVerificationBeforeUpdate).toEqual(['email']);
  });
});

describe('threat protection', () => {
  test('is off, and the plan that bills it by user with it, unless a deployer asks for it', () => {
    expect(pool.UserPoolTier).toBe('ESSENTIALS');
    expect(pool.UserPoolAddOns).toBeUndefined();
  });

  test('is enforced where context asks for it', () => {
    synthesise('dev', { ownerThreatProtection: 'true' }).hasResourceProperties(POOL, {
      UserPoolTier: 'PLUS',
      UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
    });
  });
});

describe.each(clients)('client $#', (client) => {
  test('has no secret, which a browser could not keep', () => {
    expect(client.GenerateSecret).toBe(false);
  });

  test('sends no password but in an operator’s own call', () => {
    expect([...client.ExplicitAuthFlows].sort()).toEqual([
      'ALLOW_ADMIN_USER_PASSWORD_AUTH',
      'ALLOW_REFRESH_TOKEN_AUTH',
      'ALLOW_USER_SRP_AUTH',
    ]);
    expect(client.AllowedOAuthFlowsUserPoolClient).toBe(false);
  });

  test('does not tell who exists, and can take tokens back', () => {
    expect(client).toMatchObject({ PreventUserExistenceErrors: 'ENABLED', EnableTokenRevocation: true });
  });

  test('gets tokens for an hour, and may renew them for 30 days', () => {
    expect(client).toMatchObject({
      IdTokenValidity: 60,
      AccessTokenValidity: 60,
      RefreshTokenValidity: 30 * 24 * 60,
      TokenValidityUnits: { IdToken: 'minutes', AccessToken: 'minutes', RefreshToken: 'minutes' },
    });
  });
});
