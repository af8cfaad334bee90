import { describe, expect, test } from '@jest/globals';
import { asText, synthesise } from './synthesise.ts';
import type { AlarmProperties } from './template-alarms.ts';

describe('the topic', () => {
  const prod = synthesise('prod');
  const [topic] = Object.values(prod.findResources('AWS::SNS::Topic'));
  const [policy] = Object.values(prod.findResources('AWS::SNS::TopicPolicy'));
  const statements: AlarmProperties[] = policy?.Properties.PolicyDocument.Statement ?? [];

  test('is encrypted with a key that CloudWatch may use, or no alarm would arrive', () => {
    const keyId = topic?.Properties.KmsMasterKeyId['Fn::GetAtt'][0];
    const key = prod.findResources('AWS::KMS::Key')[keyId]?.Properties;
    expect(key.EnableKeyRotation).toBe(true);
    expect(key.KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      }),
    );
  });

  test('takes what the alarms of this stage publish, over TLS, and nothing from anybody else', () => {
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed.map(({ Principal, Action }) => ({ Principal, Action }))).toEqual([
      { Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
    ]);
    expect(asText(allowed[0]?.Condition.ArnLike['aws:SourceArn'])).toMatch(/:alarm:lead-ingest-prod-\*$/);
    const denied = statements.filter(({ Effect }) => Effect === 'Deny');
    expect(JSON.stringify(denied)).toContain('"aws:SecureTransport":"false"');
  });

  test('notifies an address if there is one', () => {
    prod.resourceCountIs('AWS::SNS::Subscription', 0);
    const told = synthesise('prod', { alarmEmail: 'ops@example.com' });
    told.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  });
});
