import { afterAll, expect, test } from '@jest/globals';
import { openAws } from '../../bin/leadctl/doctor/aws.ts';
import { runChecks } from '../../bin/leadctl/doctor/check.ts';
import { upgradeCheck } from '../../bin/leadctl/doctor/upgrade.ts';
import { synthesize } from '../stack/synthesize.ts';
import { type Responses, startFakeAws } from './fake-aws/fake-aws.ts';
import { denied, IDENTITY, REGION } from './fake-aws/healthy-stack.ts';

const aws = await startFakeAws();
afterAll(aws.close);

async function examine(responses: Responses) {
  aws.respondWith({ 'sts:GetCallerIdentity': IDENTITY, ...responses });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const opened = await openAws({ region: REGION, endpoint: aws.endpoint, credentials, maxAttempts: 1 });
  const checks = [...opened.checks, upgradeCheck(opened, 'LeadIngest-prod', { stage: 'prod' })];
  return (await runChecks(checks, () => undefined)).at(-1);
}

/** What this checkout deploys, as CloudFormation returns it, after a change. */
function deployed(change: (resources: Record<string, { Properties: Record<string, unknown> }>) => void) {
  const template = structuredClone(synthesize('prod').toJSON());
  change(template.Resources);
  return { 'cloudformation:GetTemplate': { TemplateBody: JSON.stringify(template) } };
}

test('the same template can be rolled back', async () => {
  const found = await examine(deployed(() => undefined));
  expect(found).toEqual({ name: 'upgrade', status: 'ok', found: 'can be rolled back' });
});

test('an attribute that the deployed pool does not have is named, with what to do', async () => {
  const found = await examine(
    deployed(({ Owners }) => {
      if (Owners) Owners.Properties.Schema = [];
    }),
  );
  expect(found?.status).toBe('warn');
  expect(found?.found).toMatch(/^a rollback does not undo .*The attribute \w+ of Owners is new/);
  expect(found?.todo).toMatch('docs/upgrade.md');
});

test('the missing permission is named', async () => {
  const found = await examine({ 'cloudformation:GetTemplate': denied('AccessDenied') });
  expect(found?.todo).toMatch('cloudformation:GetTemplate');
});
