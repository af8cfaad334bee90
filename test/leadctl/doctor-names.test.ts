import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CheckResult, lineOf } from '../../bin/leadctl/doctor/check.ts';
import type { Status } from '../../bin/leadctl/doctor/explain-error.ts';
import { expectOnly, type Row } from './fake-aws/expect-only.ts';
import { AwsError, type FakeAws, startFakeAws } from './fake-aws/fake-aws.ts';
import { CONTEXT, certificate, examineBefore, zone } from './fake-aws/ready-account.ts';
import { denied, NOW } from './fake-aws/stack-answers.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.close());

type CertificateRow = [when: string, change: object, status: Status, says: RegExp];

const CERTIFICATES: CertificateRow[] = [
  ['for the name itself', { DomainName: 'leads.example.com', SubjectAlternativeNames: [] }, 'ok', /issued/],
  ['pending', { Status: 'PENDING_VALIDATION' }, 'fail', /not issued yet.*DNS records/],
  ['timed out', { Status: 'VALIDATION_TIMED_OUT' }, 'fail', /VALIDATION_TIMED_OUT/],
  ['revoked', { Status: 'REVOKED' }, 'fail', /REVOKED/],
  ['expired', { Status: 'EXPIRED' }, 'fail', /has expired/],
  ['past its date', { NotAfter: new Date(NOW - 1) }, 'fail', /has expired/],
  [
    'imported and soon to expire',
    { Type: 'IMPORTED', NotAfter: new Date(NOW + 9.5 * 86_400_000) },
    'warn',
    /expires in 9 days/,
  ],
  [
    'of another name',
    { DomainName: 'example.org', SubjectAlternativeNames: ['www.example.com'] },
    'fail',
    /for example\.org, www\.example\.com, not for leads\.example\.com/,
  ],
  ['of a wildcard one label higher', { DomainName: '*.com', SubjectAlternativeNames: [] }, 'fail', /not for/],
  [
    'of a wildcard one label lower',
    { DomainName: '*.leads.example.com', SubjectAlternativeNames: [] },
    'fail',
    /not for/,
  ],
];

describe('the ingest certificate', () => {
  const { consoleDomainName: _, consoleCertificateArn: __, ...ingestOnly } = CONTEXT;

  test.each(CERTIFICATES)('%s', async (_when, change, status, says) => {
    const results = await examineBefore(aws, { 'acm:DescribeCertificate': certificate(change) }, ingestOnly);
    const result = results.find(({ name }) => name === 'ingest certificate') as CheckResult;
    expect(result.status).toBe(status);
    expect(lineOf(result)).toMatch(says);
    expect(results.find(({ name }) => name === 'console certificate')).toMatchObject({ status: 'skip' });
  });

  test('that ACM does not know', async () => {
    const absent = { 'acm:DescribeCertificate': new AwsError('ResourceNotFoundException') };
    const results = await examineBefore(aws, absent, ingestOnly);
    expect(results).toContainEqual(expect.objectContaining({ name: 'ingest certificate', status: 'fail' }));
  });

  test('in another region than the stack, and that of the console outside us-east-1', async () => {
    const consoleCertificateArn = CONTEXT.ingestCertificateArn;
    const results = await examineBefore(aws, {}, { ...CONTEXT, consoleCertificateArn }, 'eu-central-1');
    const lines = results.filter(({ status }) => status === 'fail').map(lineOf);
    expect(lines).toEqual([
      expect.stringMatching(
        /^FAIL {2}ingest certificate .* it is in eu-west-1, but must be in eu-central-1\. Request/,
      ),
      expect.stringMatching(/^FAIL {2}console certificate .* but must be in us-east-1\. Request/),
    ]);
  });
});

const ROWS: Row[] = [
  [
    'hosted zone',
    'absent',
    { 'route53:GetHostedZone': new AwsError('NoSuchHostedZone') },
    'fail',
    /hosted zone Z0123456789ABC not found.*list-hosted-zones-by-name/,
  ],
  [
    'hosted zone',
    'of another domain',
    { 'route53:GetHostedZone': zone({ Name: 'example.org.' }) },
    'fail',
    /is the zone of example\.org, not of example\.com/,
  ],
  [
    'hosted zone',
    'private',
    { 'route53:GetHostedZone': zone({ Config: { PrivateZone: true } }) },
    'fail',
    /private/,
  ],
  [
    'hosted zone',
    'access denied',
    { 'route53:GetHostedZone': denied('AccessDenied') },
    'warn',
    /Allow route53:GetHostedZone/,
  ],
];

test.each(ROWS)('%s: %s', async (check, _when, answers, status, says) => {
  expectOnly(await examineBefore(aws, answers), check, status, says);
});

test('a domain outside the hosted zone fails', async () => {
  const results = await examineBefore(aws, {}, { ...CONTEXT, ingestDomainName: 'leads.example.org' });
  expect(results).toContainEqual(
    expect.objectContaining({ name: 'hosted zone', found: 'leads.example.org is not in example.com' }),
  );
});
