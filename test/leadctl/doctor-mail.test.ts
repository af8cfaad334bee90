import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Asked, AwsError, type FakeAws, startFakeAws } from './fake-aws/fake-aws.ts';
import {
  denied,
  examineAfter,
  expectOnly,
  MAIL_FROM,
  outputs,
  REGION,
  type Row,
} from './fake-aws/healthy-stack.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.close());

/** By identity; the others do not exist. */
const identities = (verified: Readonly<Record<string, boolean>>) => (asked: Asked) => {
  const status = verified[decodeURIComponent(String(asked.input.EmailIdentity))];
  return status === undefined ? new AwsError('NotFoundException') : { VerifiedForSendingStatus: status };
};

const DOMAIN = 'mail.example.com';

const ROWS: Row[] = [
  [
    'mail sender',
    'verified by its domain',
    { 'ses:GetEmailIdentity': identities({ [DOMAIN]: true }) },
    'ok',
    /verified by mail\.example\.com, with production access/,
  ],
  [
    'mail sender',
    'whose own verification is pending',
    { 'ses:GetEmailIdentity': identities({ [MAIL_FROM]: false, [DOMAIN]: true }) },
    'ok',
    /verified by mail\.example\.com/,
  ],
  [
    'mail sender',
    'unknown to SES',
    { 'ses:GetEmailIdentity': identities({}) },
    'fail',
    /neither leads@mail\.example\.com nor its domain.*create-email-identity --email-identity mail\.example\.com/,
  ],
  [
    'mail sender',
    'not verified yet',
    { 'ses:GetEmailIdentity': identities({ [DOMAIN]: false }) },
    'fail',
    /neither/,
  ],
  [
    'mail sender',
    'in the sandbox',
    { 'ses:GetAccount': { ProductionAccessEnabled: false, SendingEnabled: true } },
    'warn',
    /sandbox.*production access/,
  ],
  [
    'mail sender',
    'of an account that may not send',
    { 'ses:GetAccount': { ProductionAccessEnabled: true, SendingEnabled: false } },
    'fail',
    /does not send mail/,
  ],
  ['mail sender', 'access denied', { 'ses:GetAccount': denied() }, 'warn', /Allow ses:GetAccount/],
];

test.each(ROWS)('%s: %s', async (check, _when, responses, status, says) => {
  expectOnly(await examineAfter(aws, responses), check, status, says);
});

test('a stack that sends no mail does not ask SES', async () => {
  const results = await examineAfter(aws, {}, { ...outputs, mailFrom: undefined });
  expect(results).toContainEqual({ name: 'mail sender', status: 'skip', found: 'mailFrom is not set' });
  expect(aws.asked.filter(({ operation }) => operation.startsWith('ses:'))).toEqual([]);
});

test('SES is asked in the region of the stack', async () => {
  await examineAfter(aws, {});
  const asked = aws.asked.filter(({ operation }) => operation.startsWith('ses:'));
  expect(asked.map(({ operation, region }) => `${operation} in ${region}`)).toEqual([
    `ses:GetEmailIdentity in ${REGION}`,
    `ses:GetAccount in ${REGION}`,
  ]);
});
