import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { enforceIam } from '#local/iam/enforce-iam.ts';
import { type Closers, makeClosers } from '#local/lifecycle.ts';
import { startEventBus, startSes } from '#local/sending-services.ts';
import type { Template } from '#local/template.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { readIamTemplate } from '../support/iam-template.ts';

const FROM = 'leads@example.com';
const BUS_ARN = 'arn:aws:events:us-east-1:000000000000:event-bus/S-Bus';
const STATEMENTS = [
  { Effect: 'Allow', Action: 'events:PutEvents', Resource: BUS_ARN },
  {
    Effect: 'Allow',
    Action: 'ses:SendEmail',
    Resource: ['identity/*@example.com', 'identity/ada@example.org', 'configuration-set/S-Mail'].map(
      (resource) => `arn:aws:ses:us-east-1:000000000000:${resource}`,
    ),
    Condition: { StringEquals: { 'ses:FromAddress': FROM } },
  },
];

const scratch = temporaryFolder('sending-iam');
let closers: Closers;
let folder: string;
beforeEach(() => {
  closers = makeClosers();
  folder = mkdtempSync(join(scratch, 'run-'));
});
afterEach(() => closers.close());

async function start(resources: Template['Resources'] = {}) {
  const reader = readIamTemplate(STATEMENTS, undefined, resources);
  const ses = await startSes(folder, closers);
  const bus = await startEventBus(join(folder, 'events.jsonl'), closers);
  const unused = 'http://127.0.0.1:9';
  const others = { dynamoDb: unused, sqs: unused, cognito: unused, lambda: unused };
  const endpoints = { ...others, ses: ses.endpoint, eventBridge: bus.endpoint };
  const access = await enforceIam({ reader, endpoints, logFolder: folder, print: () => undefined }, closers);
  const common = {
    region: 'us-east-1',
    credentials: access.credentialsOf(reader.arn('Fn')),
    maxAttempts: 1,
  };
  const mail = new SESv2Client({ ...common, endpoint: access.ses });
  const events = new EventBridgeClient({ ...common, endpoint: access.eventBridge });
  closers.defer(() => {
    mail.destroy();
    events.destroy();
  });
  return { access, reader, mail, events };
}

const mailFrom = (from: string, { to = 'ada@example.org', set = 'S-Mail' } = {}) =>
  new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    ConfigurationSetName: set,
    Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hello' } } } },
  });
const eventOn = (EventBusName: string) =>
  new PutEventsCommand({ Entries: [{ EventBusName, Source: 's', DetailType: 't', Detail: '{}' }] });

test('mail and events that the role allows reach their services', async () => {
  const { mail, events } = await start();
  await mail.send(mailFrom(FROM));
  await mail.send(mailFrom(`Leads <${FROM}>`));
  await events.send(eventOn('S-Bus'));
  await events.send(eventOn(BUS_ARN));
  expect(readdirSync(folder).filter((name) => name.endsWith('.eml'))).toHaveLength(2);
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);
});

test.each([
  ['mail from another sender', mailFrom('ceo@example.com')],
  [
    'mail to an identity that the role does not have, as in the sandbox',
    mailFrom(FROM, { to: 'bob@example.org' }),
  ],
  ['mail with a configuration set that the role does not have', mailFrom(FROM, { set: 'S-Other' })],
  ['an event on another bus', eventOn('default')],
])('%s is denied', async (_, command) => {
  const { mail, events } = await start();
  const isMail = command instanceof SendEmailCommand;
  const sent = isMail ? mail.send(command) : events.send(command);
  await expect(sent).rejects.toMatchObject({
    name: 'AccessDeniedException',
    $metadata: { httpStatusCode: isMail ? 403 : 400 },
  });
  expect(readdirSync(folder).filter((name) => name.endsWith('.eml'))).toEqual([]);
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toBe('');
});

describe('a schedule needs the permission to invoke its function', () => {
  const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
  const permission = {
    Action: 'lambda:InvokeFunction',
    FunctionName: arnOf('Fn'),
    Principal: 'events.amazonaws.com',
    SourceArn: arnOf('Sweep'),
  };

  async function check(properties: Readonly<Record<string, unknown>> | undefined) {
    const { access, reader } = await start({
      Sweep: { Type: 'AWS::Events::Rule' },
      Other: { Type: 'AWS::Events::Rule' },
      ...(properties && { Permission: { Type: 'AWS::Lambda::Permission', Properties: properties } }),
    });
    const [ruleArn, functionArn] = [reader.arn('Sweep'), reader.arn('Fn')];
    access.checkRule({ logicalId: 'Sweep', ruleArn, functionArn });
  }

  test('of this rule, or of every rule', async () => {
    await check(permission);
    await check({ ...permission, SourceArn: { Ref: 'AWS::NoValue' } });
  });

  test.each([
    ['none', undefined],
    ['of another rule', { ...permission, SourceArn: arnOf('Other') }],
    ['of another service', { ...permission, Principal: 'apigateway.amazonaws.com' }],
    ['for another function', { ...permission, FunctionName: arnOf('Twin') }],
  ])('%s is not enough', async (_, properties) => {
    await expect(check(properties)).rejects.toThrow('Sweep lacks the permission to invoke');
  });
});
