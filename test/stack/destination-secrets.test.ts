import { expect, test } from '@jest/globals';
import { asText, ownFunctions, synthesise, withoutHash } from './synthesise.ts';

const template = synthesise('prod');

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** What each function may do to a resource, by the name of the function. */
function actionsOn(name: string): Record<string, string[]> {
  const isMeant = (resource: unknown) =>
    asText(resource).replace(/[0-9A-F]{8}(?=\.)/, '') === `\${${name}.Arn}`;
  const policies = Object.values(template.findResources('AWS::IAM::Policy'));
  const allowed = Object.entries(ownFunctions(template)).map(([id, { Properties }]) => {
    const roleId = Properties.Role['Fn::GetAtt'][0] as string;
    const role = template.findResources('AWS::IAM::Role')[roleId]?.Properties;
    const beside = policies.filter(({ Properties: { Roles } }) =>
      Roles.some((each: { Ref: string }) => each.Ref === roleId),
    );
    const documents = [...(role?.Policies ?? []), ...beside.map((policy) => policy.Properties)];
    const statements: Statement[] = documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const actions = statements
      .filter(({ Resource }) => [Resource].flat().some(isMeant))
      .flatMap(({ Action }) => Action);
    return [withoutHash(id).replace(/Function$/, ''), [...new Set(actions)].sort()] as const;
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
  expect(Object.keys(actionsOn('DestinationSecretsKey')).sort()).toEqual([
    'SendingSend',
    'SettingsApiSettings',
  ]);
});
