// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation placeholders, not JavaScript ones.
import { describe, expect, test } from '@jest/globals';
import { QUEUE_VARIABLES, SENDING_VARIABLES, TABLE_VARIABLES } from '#contract';
import { openAccess } from '#local/event-source/mapping.ts';
import { environmentVariables } from '#local/functions.ts';
import { NO_VALUE, resolve, type Scope } from '../../local/intrinsics.ts';
import { TemplateReader } from '../../local/template.ts';
import { templateFixture } from './support/template-fixture.ts';

const scope: Scope = {
  reference: (name) => (name === 'AWS::NoValue' ? NO_VALUE : `<${name}>`),
  attribute: (logicalId, attribute) => `<${logicalId}.${attribute}>`,
  condition: (name) => name === 'Yes',
  mapping: (map, first, second) => `${map}/${first}/${second}`,
};

describe('intrinsic functions', () => {
  test.each([
    ['Ref', { Ref: 'Table' }, '<Table>'],
    ['GetAtt as a list', { 'Fn::GetAtt': ['Table', 'Stream.Arn'] }, '<Table.Stream.Arn>'],
    ['GetAtt as text', { 'Fn::GetAtt': 'Table.Arn' }, '<Table.Arn>'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'B' }, 'c']] }, 'a-<B>-c'],
    ['Sub', { 'Fn::Sub': 'x-${A}-${B.Arn}-${!C}' }, 'x-<A>-<B.Arn>-${C}'],
    ['Sub with variables', { 'Fn::Sub': ['${own}-${Ref}', { own: { Ref: 'A' } }] }, '<A>-<Ref>'],
    ['Select from Split', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    ['Base64', { 'Fn::Base64': 'text' }, 'dGV4dA=='],
    ['FindInMap', { 'Fn::FindInMap': ['M', { Ref: 'R' }, 'k'] }, 'M/<R>/k'],
    ['If, true', { 'Fn::If': ['Yes', 'then', { 'Fn::Nonsense': [] }] }, 'then'],
    ['If, false', { 'Fn::If': ['No', 'then', { Ref: 'Else' }] }, '<Else>'],
    ['conditions', { 'Fn::And': [{ Condition: 'Yes' }, { 'Fn::Not': [{ Condition: 'No' }] }] }, true],
    ['Or of falsehoods', { 'Fn::Or': [{ Condition: 'No' }, { 'Fn::Equals': ['a', 'b'] }] }, false],
    ['what is deeper', { a: [{ b: { Ref: 'C' } }] }, { a: [{ b: '<C>' }] }],
    ['no value in an object', { keep: 1, drop: { Ref: 'AWS::NoValue' } }, { keep: 1 }],
    ['no value in a list', ['a', { Ref: 'AWS::NoValue' }, 'b'], ['a', 'b']],
    [
      'a policy with a condition',
      { Condition: { Bool: { x: 'true' } } },
      { Condition: { Bool: { x: 'true' } } },
    ],
  ])('%s', (_, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  test('names the function that it does not know', () => {
    expect(() => resolve({ 'Fn::ImportValue': 'x' }, scope)).toThrow('Fn::ImportValue');
  });
});

describe('a template', () => {
  const reader = new TemplateReader(templateFixture(), 'LeadIngest-dev');

  test('names resources without a name after stack and logical id, so that kept data is found again', () => {
    expect(reader.ref('Leads')).toBe('LeadIngest-dev-Leads');
    expect(reader.ref('Stage')).toBe('dev');
  });

  test('leaves out resources whose condition is false', () => {
    const { Resources, ...rest } = templateFixture();
    const conditional = { ...Resources.Leads, Type: 'AWS::DynamoDB::GlobalTable', Condition: 'Never' };
    const without = new TemplateReader({ ...rest, Resources: { Leads: conditional } }, 'S');
    expect(without.resources('AWS::DynamoDB::GlobalTable')).toEqual([]);
    expect(reader.resources('AWS::DynamoDB::GlobalTable')).toHaveLength(1);
  });

  test('resolves the outputs that it can, and reports the others', () => {
    const unknown: string[] = [];
    const outputs = reader.outputs((name) => unknown.push(name));
    expect(outputs).toEqual({
      IngestUrl: `https://${reader.ref('Api')}.execute-api.us-east-1/dev`,
      LeadsTable: 'LeadIngest-dev-Leads',
    });
    expect(unknown).toEqual(['Unknowable']);
  });

  test('knows the attributes that were set, and not before', () => {
    const queue = { Type: 'AWS::SQS::Queue' };
    const asking = new TemplateReader({ Resources: { Leads: { Type: 'T' }, Work: queue } }, 'S');
    expect(() => asking.reference('Work')).toThrow('Work.Ref (AWS::SQS::Queue) is not known');
    expect(() => asking.attribute('Leads', 'StreamArn')).toThrow('Leads.StreamArn (T) is not known');
    asking.setAttribute('Work', 'Ref', 'http://127.0.0.1:1/000000000000/S-Work');
    asking.setAttribute('Leads', 'StreamArn', 'arn:stream');
    expect(asking.reference('Work')).toBe('http://127.0.0.1:1/000000000000/S-Work');
    expect(asking.attribute('Leads', 'StreamArn')).toBe('arn:stream');
    expect(asking.attribute('Work', 'QueueName')).toBe('S-Work');
    expect(asking.attribute('Work', 'Arn')).toBe('arn:aws:sqs:us-east-1:000000000000:S-Work');
  });

  test.each(['Leads.StreamArn', 'Api.Arn', 'Nobody.Arn'])('says that it does not know %s', (path) => {
    expect(() => resolve({ 'Fn::GetAtt': path }, reader)).toThrow(path.split('.', 1)[0]);
  });
});

describe('the variables of a function', () => {
  const endpoints = {
    dynamoDb: 'http://127.0.0.1:1',
    sqs: 'http://127.0.0.1:2',
    ses: 'http://127.0.0.1:3',
    eventBridge: 'http://127.0.0.1:4',
    cognito: 'http://127.0.0.1:5',
    lambda: 'http://127.0.0.1:7',
    dns: '127.0.0.1:6',
  };

  function variablesOf(
    variables: Record<string, string>,
    options: { readonly allowLoopbackDestinations?: boolean } = {},
  ) {
    return environmentVariables(
      {
        name: 'Fn',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:Fn',
        codeFolder: '/code',
        handler: 'index.handler',
        timeoutSeconds: 3,
        memoryMegabytes: 128,
        logFormat: 'JSON',
        logGroup: '/aws/lambda/Fn',
        variables,
      },
      { endpoints, addresses: new Map(), access: openAccess(endpoints), ...options },
    );
  }

  describe('destinations on this machine', () => {
    /** Of the functions that save and use the addresses of destinations. */
    const send = { [TABLE_VARIABLES.destinationSecrets]: 'Secrets' };
    const dispatch = { [TABLE_VARIABLES.destinations]: 'D', [QUEUE_VARIABLES.sending]: 'http://queue' };
    const allowed = { allowLoopbackDestinations: true };

    test('are allowed to the functions that need them, if the option is given', () => {
      expect(variablesOf(send, allowed)[SENDING_VARIABLES.allowLoopback]).toBe('true');
    });

    test.each([
      ['by default', send, {}],
      ['without the option', send, { allowLoopbackDestinations: false }],
      ['to other functions', dispatch, allowed],
    ])('are not allowed %s', (_, variables, options) => {
      expect(variablesOf(variables, options)).not.toHaveProperty(SENDING_VARIABLES.allowLoopback);
    });
  });
});
