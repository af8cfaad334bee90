import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { SENDING_VARIABLES } from '../../lambdas/contract.ts';
import { rolesOfFunctions, statementsOf } from './role-permissions.ts';
import { asText, EVERY_SETTING, synthesize, WITHOUT_CONSOLE } from './synthesize.ts';

const prod = synthesize('prod');
const complete = synthesize('prod', EVERY_SETTING);

const functionOf = (template: typeof prod, name: string) =>
  rolesOfFunctions(template).find((it) => it.name === name);

/** What a function may do in another service, with the conditions. */
const statementsFor = (template: typeof prod, name: string, service: string) =>
  statementsOf(template, functionOf(template, name)?.roleId ?? '').filter(({ Action }) =>
    [Action].flat().some((action) => action.startsWith(`${service}:`)),
  );

const TEMPLATES = (['dev', 'prod'] as const).flatMap((stage) =>
  Object.entries({
    'as it is': {},
    'with every setting': EVERY_SETTING,
    'without a console': WITHOUT_CONSOLE,
  }).map(([settings, context]) => [stage, settings, context] as const),
);

test.each(TEMPLATES)('%s, %s: no function may send to loopback addresses', (stage, _settings, context) => {
  const template = synthesize(stage, context);
  const variables = rolesOfFunctions(template).flatMap((it) => Object.keys(it.variables));
  expect(variables.length).toBeGreaterThan(20);
  expect(variables).not.toContain(SENDING_VARIABLES.allowLoopback);
  expect(JSON.stringify(template.toJSON())).not.toContain(SENDING_VARIABLES.allowLoopback);
});

// Between erasing a lead and announcing it 60 seconds pass, and a message that is under way ends before.
test('the send function runs for at most 30 seconds', () => {
  const [[, send] = []] = Object.entries(prod.findResources('AWS::Lambda::Function')).filter(([id]) =>
    id.startsWith('SendingSendFunction'),
  );
  expect(send?.Properties.Timeout).toBeLessThanOrEqual(30);
});

describe('mail', () => {
  test('is off unless a deployer names a sender', () => {
    expect(JSON.stringify(prod.toJSON())).not.toMatch(/"ses:|MAIL_FROM/);
  });

  test('is sent by the send function only, as this sender only', () => {
    const { mailFrom } = EVERY_SETTING;
    const everyOf = (resource: string) =>
      `arn:\${AWS::Partition}:ses:\${AWS::Region}:\${AWS::AccountId}:${resource}/*`;
    const statements = statementsFor(complete, 'SendingSend', 'ses');
    expect(
      statements.map(({ Resource, ...rest }) => ({ ...rest, Resource: [Resource].flat().map(asText) })),
    ).toEqual([
      {
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        // SES also checks the recipient's identity in the sandbox, and the configuration set.
        Resource: [everyOf('configuration-set'), everyOf('identity')],
        Condition: { StringEquals: { 'ses:FromAddress': mailFrom } },
      },
    ]);
    const senders = rolesOfFunctions(complete).filter(
      ({ name }) => statementsFor(complete, name, 'ses').length > 0,
    );
    expect(senders.map(({ name }) => name)).toEqual(['SendingSend']);
  });

  test('reports bounces and complaints of this stack only, to the function that may stop destinations', () => {
    const sets = Object.keys(complete.findResources('AWS::SES::ConfigurationSet'));
    expect(sets).toHaveLength(1);
    complete.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      ConfigurationSetName: { Ref: sets[0] },
      EventDestination: { Enabled: true, MatchingEventTypes: ['bounce', 'complaint'] },
    });
    complete.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ses'],
        'detail-type': ['Email Bounced', 'Email Complaint Received'],
        detail: { mail: { tags: { 'ses:configuration-set': [{ Ref: sets[0] }] } } },
      },
    });
    expect(functionOf(complete, 'SendingSend')?.variables).toMatchObject({
      [SENDING_VARIABLES.configurationSet]: { Ref: sets[0] },
    });
    prod.resourceCountIs('AWS::SES::ConfigurationSet', 0);
  });

  test.each([
    ['with a console', complete],
    ['without one', synthesize('prod', WITHOUT_CONSOLE)],
  ])('links lead to the settings API, throttled, %s', (_, template) => {
    const settings = { ThrottlingRateLimit: expect.any(Number), ThrottlingBurstLimit: expect.any(Number) };
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    expect(stage?.Properties.RouteSettings).toEqual({ 'ANY /mail/{token}': settings });
    const routes = template.findResources('AWS::ApiGatewayV2::Route', {
      Properties: { AuthorizationType: 'NONE', RouteKey: Match.stringLikeRegexp('/mail/') },
    });
    // The stage must wait for them: API Gateway refuses settings of a route that it does not know.
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(Object.keys(routes)));
    expect(Object.keys(routes)).toHaveLength(1);
    expect(statementsFor(template, 'RecipientsLinks', 'dynamodb').map(({ Action }) => Action)).toEqual([
      ['dynamodb:GetItem', 'dynamodb:PutItem'],
      ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
      'dynamodb:PutItem',
    ]);
    const url = functionOf(template, 'SendingSend')?.variables[SENDING_VARIABLES.linksUrl];
    expect(asText(url)).toBe(`https://\${SettingsApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}`);
  });
});

describe('the event bus', () => {
  test('is not made unless a deployer asks for it', () => {
    prod.resourceCountIs('AWS::Events::EventBus', 0);
    expect(prod.toJSON().Outputs).not.toHaveProperty('EventBusName');
    expect(JSON.stringify(prod.toJSON())).not.toMatch(/"events:PutEvents"|EVENT_BUS_NAME/);
  });

  test('gets events from the dispatch function only, and its name is an output', () => {
    const buses = Object.keys(complete.findResources('AWS::Events::EventBus'));
    expect(buses).toHaveLength(1);
    expect(complete.toJSON().Outputs.EventBusName.Value).toEqual({ Ref: buses[0] });
    const putting = rolesOfFunctions(complete).flatMap(({ name }) =>
      statementsFor(complete, name, 'events').map(({ Action, Resource }) => [name, Action, asText(Resource)]),
    );
    expect(putting).toEqual([['SendingDispatch', 'events:PutEvents', `\${${buses[0]}.Arn}`]]);
    expect(functionOf(complete, 'SendingDispatch')?.variables).toMatchObject({
      [SENDING_VARIABLES.eventBus]: { Ref: buses[0] },
    });
  });
});

describe('links in messages', () => {
  test.each([
    ['the console', EVERY_SETTING, 'https://console.example.com'],
    ['no console', WITHOUT_CONSOLE, undefined],
  ])('with %s', (_console, context, url) => {
    const { variables } = functionOf(synthesize('prod', context), 'SendingSend') ?? {};
    expect(variables?.[SENDING_VARIABLES.consoleUrl]).toEqual(url);
  });
});
