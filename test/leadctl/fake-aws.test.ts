import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { expect, test } from '@jest/globals';
import { AwsError, startFakeAws } from './fake-aws/fake-aws.ts';

async function ask(response: object): Promise<{ asked: unknown; mistake: string | undefined }> {
  const aws = await startFakeAws();
  aws.respondWith({ 'ssm:GetParameter': response });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new SSMClient({ region: 'eu-west-1', endpoint: aws.endpoint, credentials, maxAttempts: 1 });
  const asked = await client.send(new GetParameterCommand({ Name: '/a' })).catch((error: Error) => error);
  const mistake = await aws.close().catch(({ message }: Error) => message);
  client.destroy();
  return { asked, mistake: mistake ?? undefined };
}

test('responses that fit the model reach the SDK', async () => {
  const LastModifiedDate = new Date('2026-05-01T00:00:00Z');
  const { asked, mistake } = await ask({ Parameter: { Value: '6', Version: 2, LastModifiedDate } });
  expect(asked).toMatchObject({ Parameter: { Value: '6', Version: 2, LastModifiedDate } });
  expect(mistake).toBeUndefined();
});

test.each([
  [
    'a member that is not in the model',
    { Parameter: { Wert: '6' } },
    'the model has no GetParameterResult.Parameter.Wert',
  ],
  [
    'a value of another kind',
    { Parameter: { Value: 6 } },
    'the model has no number at GetParameterResult.Parameter.Value',
  ],
  [
    'an error that the service does not have',
    new AwsError('NoSuchParameter'),
    'the model has no error NoSuchParameter',
  ],
])('%s is a mistake of the test', async (_, response, message) => {
  expect((await ask(response)).mistake).toBe(message);
});
