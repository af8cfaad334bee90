import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { EVERY_SETTING, synthesize } from './synthesize.ts';

const POOL = 'AWS::Cognito::UserPool';
const CLIENT = 'AWS::Cognito::UserPoolClient';
const dev = synthesize('dev');
const prod = synthesize('prod');
const pool = prod.findResources(POOL).Owners?.Properties;
const clients = Object.values(prod.findResources(CLIENT)).map(({ Properties }) => Properties);

test('the pool is kept in prod, and may be deleted in dev', () => {
  prod.hasResource(CLIENT, { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
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

test('the pool has no sign-up, takes addresses in any case, and asks for strong passwords', () => {
  expect(pool.AdminCreateUserConfig.AllowAdminCreateUserOnly).toBe(true);
  expect(pool).toMatchObject({
    UsernameAttributes: ['email'],
    UsernameConfiguration: { CaseSensitive: false },
  });
  expect(pool.Policies.PasswordPolicy).toMatchObject({
    MinimumLength: 12,
    RequireLowercase: true,
    RequireUppercase: true,
    RequireNumbers: true,
    RequireSymbols: true,
  });
});

test('the pool offers a second factor by app, and recovers and changes an address only by email, never by SMS', () => {
  expect(pool).toMatchObject({ MfaConfiguration: 'OPTIONAL', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
  expect(pool.SmsConfiguration).toBeUndefined();
  expect(pool.AccountRecoverySetting.RecoveryMechanisms).toEqual([{ Name: 'verified_email', Priority: 1 }]);
  // The old address stays until the new one is verified.
  expect(pool.UserAttributeUpdateSettings.AttributesRequireVerificationBeforeUpdate).toEqual(['email']);
});

test('threat protection is off without a setting, as is the plan that bills it per user', () => {
  expect(pool.UserPoolTier).toBe('ESSENTIALS');
  expect(pool.UserPoolAddOns).toBeUndefined();
  synthesize('dev', EVERY_SETTING).hasResourceProperties(POOL, {
    UserPoolTier: 'PLUS',
    UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
  });
});

describe.each(clients)('client $#', (client) => {
  test('has no secret, which a browser could not keep, and allows passwords only in an operator’s own call', () => {
    expect(client.GenerateSecret).toBe(false);
    expect([...client.ExplicitAuthFlows].sort()).toEqual([
      'ALLOW_ADMIN_USER_PASSWORD_AUTH',
      'ALLOW_REFRESH_TOKEN_AUTH',
      'ALLOW_USER_SRP_AUTH',
    ]);
    expect(client.AllowedOAuthFlowsUserPoolClient).toBe(false);
    // It does not reveal who exists, and can revoke tokens.
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
