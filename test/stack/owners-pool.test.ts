import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { synthesize } from './synthesize.ts';

const POOL = 'AWS::Cognito::UserPool';
const CLIENT = 'AWS::Cognito::UserPoolClient';
const dev = synthesize('dev');
const prod = synthesize('prod');
const pool = prod.findResources(POOL).Owners?.Properties;
const clients = Object.values(prod.findResources(CLIENT)).map(({ Properties }) => Properties);

test.each([
  ['dev', dev],
  ['prod', prod],
] as const)('in %s pool and client keep their logical ids, so that no owner is lost', (_, template) => {
  expect(Object.keys(template.findResources(POOL))).toEqual(['Owners']);
  expect(Object.keys(template.findResources(CLIENT))).toEqual(['OwnersClient']);
});

test('the pool is always kept in prod, and may be deleted in dev', () => {
  const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
  prod.hasResource(POOL, { ...kept, Properties: { DeletionProtection: 'ACTIVE' } });
  prod.hasResource(CLIENT, kept);
  dev.hasResource(POOL, { DeletionPolicy: 'Delete', Properties: { DeletionProtection: 'INACTIVE' } });
});

describe('the workspace of an owner', () => {
  const attribute = pool.Schema.find(({ Name }: { Name: string }) => Name === 'workspace_id');

  test('cannot change once it is set, nor can the mark of an invitation', () => {
    const mark = pool.Schema.find(({ Name }: { Name: string }) => Name === 'invited');
    for (const it of [attribute, mark])
      expect(it).toMatchObject({ AttributeDataType: 'String', Mutable: false });
  });

  test.each(clients)('can be read but not written with a token of client $#', (client) => {
    // Absent would mean every attribute.
    expect(client.WriteAttributes).toEqual(['email']);
    expect(client.ReadAttributes).toEqual(expect.arrayContaining(['custom:workspace_id', 'custom:invited']));
  });
});

describe('the pool', () => {
  test('allows no sign-up: operators invite', () => {
    expect(pool.AdminCreateUserConfig.AllowAdminCreateUserOnly).toBe(true);
  });

  test('signs in by email address, ignoring case', () => {
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

  test('offers a second factor by app, never by SMS', () => {
    expect(pool).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
    expect(pool.SmsConfiguration).toBeUndefined();
  });

  test('recovers an account only by email', () => {
    const [mechanism, ...others] = pool.AccountRecoverySetting.RecoveryMechanisms;
    expect(mechanism).toMatchObject({ Name: 'verified_email' });
    expect(others).toEqual([]);
  });

  test('keeps the old address until the new one is verified', () => {
    expect(pool.UserAttributeUpdateSettings.AttributesRequireVerificationBeforeUpdate).toEqual(['email']);
  });
});

describe('threat protection', () => {
  test('is off by default, without the plan that bills it per user', () => {
    expect(pool.UserPoolTier).toBe('ESSENTIALS');
    expect(pool.UserPoolAddOns).toBeUndefined();
  });

  test('is enforced if context enables it', () => {
    synthesize('dev', { ownerThreatProtection: 'true' }).hasResourceProperties(POOL, {
      UserPoolTier: 'PLUS',
      UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
    });
  });
});

describe.each(clients)('client $#', (client) => {
  test('has no secret, which a browser could not keep', () => {
    expect(client.GenerateSecret).toBe(false);
  });

  test('allows passwords only in an operator’s own call', () => {
    expect([...client.ExplicitAuthFlows].sort()).toEqual([
      'ALLOW_ADMIN_USER_PASSWORD_AUTH',
      'ALLOW_REFRESH_TOKEN_AUTH',
      'ALLOW_USER_SRP_AUTH',
    ]);
    expect(client.AllowedOAuthFlowsUserPoolClient).toBe(false);
  });

  test('does not reveal who exists, and can revoke tokens', () => {
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

  test.each(['SECURITY.md', 'docs/settings-api-access.md', 'docs/console-guide.md', 'bin/leadctl/owner.ts'])(
    '%s states how long an ID token outlives a change of the password',
    (file) => {
      const text = readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');
      expect(text).toContain(`${client?.IdTokenValidity} minutes`);
    },
  );
});
