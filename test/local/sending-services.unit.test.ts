import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EventBridgeClient, ListRulesCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Closers, makeClosers } from '#local/lifecycle.ts';
import { SEND_EMAIL_PATH, startEventBus, startSes } from '#local/sending-services.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { post } from './support/test-gateway.ts';

const scratch = temporaryFolder('sending-services');
let closers: Closers;
let folder: string;
beforeEach(() => {
  closers = makeClosers();
  folder = mkdtempSync(join(scratch, 'run-'));
});
afterEach(() => closers.close());

const common = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  maxAttempts: 1,
};

type Mail = Partial<SendEmailCommandInput> & Pick<SendEmailCommandInput, 'Content'>;

describe('SES', () => {
  const simple = (Data: string, more: object = {}) => ({
    Content: { Simple: { Subject: { Data }, Body: { Text: { Data: 'Hello\nAda' } }, ...more } },
  });

  async function send(mail: Mail) {
    const { endpoint } = await startSes(folder, closers);
    const client = new SESv2Client({ ...common, endpoint });
    closers.defer(() => client.destroy());
    return client.send(
      new SendEmailCommand({
        FromEmailAddress: 'leads@example.com',
        Destination: { ToAddresses: ['ada@example.org'] },
        ...mail,
      }),
    );
  }

  test('writes each mail to a file that only its owner can read', async () => {
    const { MessageId } = await send(simple('New lead: Contact'));
    const names = readdirSync(folder);
    expect(names).toEqual([
      expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT.*-${MessageId}\\.eml$`)),
    ]);
    const file = join(folder, names[0] ?? '');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [head = '', body] = readFileSync(file, 'utf8').split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        'From: leads@example.com',
        'To: ada@example.org',
        'Subject: New lead: Contact',
      ]),
    );
    expect(body).toBe('Hello\r\nAda');
  });

  test('refuses a header with a line break', async () => {
    await expect(send(simple('New lead\r\nBcc: eve@example.net'))).rejects.toMatchObject({
      name: 'BadRequestException',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['a b', 'a@b', 'ä', ''])('takes no tag with the value %j', async (Value) => {
    const tagged = { EmailTags: [{ Name: 'workspaceId', Value }], ...simple('Lead') };
    await expect(send(tagged)).rejects.toMatchObject({ name: 'BadRequestException' });
  });
});

describe('EventBridge', () => {
  async function open() {
    const file = join(folder, 'events.jsonl');
    const { endpoint } = await startEventBus(file, closers);
    const client = new EventBridgeClient({ ...common, endpoint });
    closers.defer(() => client.destroy());
    return { file, client };
  }

  test('adds one line per event to a file that only its owner can read', async () => {
    const { file, client } = await open();
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['', 0o600]);
    const entry = { EventBusName: 'bus', Source: 'lead-ingest', Time: new Date('2026-11-15T12:00:00Z') };
    const Entries = ['a', 'b'].map((id) => ({
      ...entry,
      DetailType: 'lead.accepted',
      Detail: JSON.stringify({ submissionId: id }),
    }));
    const response = await client.send(new PutEventsCommand({ Entries }));
    expect(response).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }, {}] });
    await client.send(new PutEventsCommand({ Entries }));
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[1] ?? '')).toEqual({
      version: '0',
      id: expect.any(String),
      'detail-type': 'lead.accepted',
      source: 'lead-ingest',
      account: '000000000000',
      time: '2026-11-15T12:00:00Z',
      region: 'us-east-1',
      resources: [],
      detail: { submissionId: 'b' },
    });
  });

  test('refuses other operations', async () => {
    const { client } = await open();
    await expect(client.send(new ListRulesCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });
});

test.each([
  ['origin', 'https://example.com'],
  ['host', 'rebound.example.com'],
])('web pages cannot use them: %s %s', async (header, value) => {
  const ses = await startSes(folder, closers);
  const bus = await startEventBus(join(folder, 'events.jsonl'), closers);
  const target = { 'x-amz-target': 'AWSEvents.PutEvents' };
  const responses = await Promise.all([
    post(`${ses.endpoint}${SEND_EMAIL_PATH}`, { [header]: value }),
    post(bus.endpoint, { ...target, [header]: value }, '{"Entries":[{}]}'),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([403, 403]);
  expect(await post(bus.endpoint, target, '{"Entries":[]}')).toMatchObject({ status: 200 });
});
