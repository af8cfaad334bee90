import { expect, test } from '@jest/globals';
import { REVIEW_ATTRIBUTES } from '../../lambdas/contract.ts';
import { toErasedItem } from '../../lambdas/model/lead-events.ts';
import { toReviewItem } from '../../lambdas/model/review-item.ts';
import {
  permissionsOf as allPermissionsOf,
  statementsOf as allStatementsOf,
  many,
  nameOf,
  rolesOfFunctions,
} from './role-permissions.ts';
import { asText, synthesize } from './synthesize.ts';

const template = synthesize('prod');
const functions = rolesOfFunctions(template);
const statementsOf = (roleId: string) => allStatementsOf(template, roleId);
const permissionsOf = (roleId: string) => allPermissionsOf(template, roleId);
const roleOf = (name: string) => functions.find((it) => it.name === name)?.roleId ?? `no function ${name}`;

const everyStatement = functions.flatMap(({ roleId }) => statementsOf(roleId));

test('only the functions of webhooks and settings read the secrets of forms', () => {
  const readers = functions.filter(({ roleId }) => /FormSecrets/.test(permissionsOf(roleId).join()));
  expect(readers.map(({ name }) => name)).toEqual(['IngestWebhook', 'SettingsApiSettings']);
});

/** Every action that returns what a table or its backup holds. */
const READING =
  /:(Get|BatchGet|Query|Scan|ConditionCheck|PartiQL|DescribeStream|Export|CreateBackup|Restore)/;

test('only the send function has an action that reads the secrets of destinations, and no index or stream copies them', () => {
  const roles = Object.keys(template.findResources('AWS::IAM::Role'));
  const readers = roles.filter((roleId) =>
    statementsOf(roleId).some(
      ({ Action, Resource }) =>
        many(Action).some((action) => READING.test(action)) &&
        many(Resource).some((it) => /\bDestinationSecrets\b|table\//.test(nameOf(it))),
    ),
  );
  expect(readers).toEqual([roleOf('SendingSend')]);
  const { DestinationSecrets } = template.findResources('AWS::DynamoDB::GlobalTable');
  expect(DestinationSecrets?.Properties).not.toHaveProperty('GlobalSecondaryIndexes');
  expect(DestinationSecrets?.Properties).not.toHaveProperty('StreamSpecification');
});

/** What each function may do to a resource, by the name of the function. */
function actionsOn(resource: string): Record<string, string[]> {
  const allowed = functions.map(({ name, roleId }) => {
    const statements = statementsOf(roleId).filter(({ Resource }) =>
      many(Resource).map(nameOf).includes(resource),
    );
    return [name, [...new Set(statements.flatMap(({ Action }) => Action))].sort()] as const;
  });
  return Object.fromEntries(allowed.filter(([, actions]) => actions.length > 0));
}

test('only the send function can read the secrets of destinations, and settings can only write them', () => {
  expect(actionsOn('DestinationSecrets')).toEqual({
    SendingSend: ['dynamodb:BatchGetItem'],
    SettingsApiSettings: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  });
});

test('no other function can use their key', () => {
  const users = Object.keys(actionsOn('DestinationSecretsKey'));
  expect(users.sort()).toEqual(['SendingSend', 'SettingsApiSettings']);
});

test('the secrets are decrypted through DynamoDB only', () => {
  const decrypting = everyStatement.filter(({ Action }) => many(Action).some((it) => it.startsWith('kms:')));
  const services = decrypting.map(({ Condition }) => asText(Condition?.StringEquals?.['kms:ViaService']));
  expect(new Set(services)).toEqual(new Set([`dynamodb.\${AWS::Region}.amazonaws.com`]));
});

test('the server function writes neither tokens nor forms', () => {
  const lines = permissionsOf(roleOf('IngestServer')).filter((line) => /^(Tokens|Forms):/.test(line));
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toMatch(/Put|Update|Delete|Write|PartiQL/);
});

/** Every action that changes a table. */
const WRITING = /:(Put|Update|Delete|BatchWrite|PartiQL(?!Select)|Restore|Import)/;

test('the diagnostics function can read Diagnostics and rejections, and nothing else', () => {
  const lines = permissionsOf(roleOf('SettingsApiDiagnostics')).filter((line) => line.includes('dynamodb:'));
  expect(lines.join()).not.toMatch(WRITING);
  expect(lines.every((line) => /^(Diagnostics|Rejections|UnauthenticatedRejections): /.test(line))).toBe(
    true,
  );
});

test('the settings function can delete a lead, put a note without content in its place, review it, and nothing more', () => {
  const onLeads = statementsOf(roleOf('SettingsApiSettings')).filter(({ Resource }) =>
    many(Resource).some((it) => /^(\$\{)?Leads\b/.test(nameOf(it))),
  );
  const writing = onLeads.flatMap(({ Action, Condition }) =>
    many(Action).flatMap((action) => (WRITING.test(action) ? [[action, Condition]] : [])),
  );
  const nothingElse = {
    'ForAllValues:StringEquals': {
      // Ids, times, and what kind of record it is. A lead's content is in other attributes.
      'dynamodb:Attributes': ['leadId', 'part', 'workspace', 'form', 'erasedAt', 'expiresAt', 'v'],
    },
  };
  const only = (attributes: readonly string[]) => ({
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...attributes] },
  });
  expect(writing).toEqual([
    ['dynamodb:DeleteItem', undefined],
    ['dynamodb:PutItem', nothingElse],
    [
      'dynamodb:UpdateItem',
      only(['leadId', 'part', 'workspaceId', 'clean', 'scoredClean', 'review', 'roles']),
    ],
    ['dynamodb:PutItem', only(REVIEW_ATTRIBUTES.item)],
  ]);
  const review = toReviewItem({
    ...{ leadId: 'l', workspaceId: 'w', formId: 'f', score: 1, clean: true, verdict: 'good', at: 'now' },
    madeClean: true,
    expiresAt: 1,
  });
  expect(Object.keys(review).toSorted()).toEqual([...REVIEW_ATTRIBUTES.item].toSorted());
  const note = toErasedItem({ leadId: 'l', workspaceId: 'w', formId: 'f' }, Date.now());
  expect(Object.keys(note)).toEqual(nothingElse['ForAllValues:StringEquals']['dynamodb:Attributes']);
});
