import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type CfnKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

/** Tables that are encrypted with a key of their own. */
export type SecretTable = 'formSecrets' | 'destinationSecrets';

export type SecretKeys = Readonly<Record<SecretTable, Key>>;

export function makeSecretKeys(scope: Construct, stage: Stage): SecretKeys {
  const make = (id: string, contents: string) => {
    const key = new Key(scope, id, {
      description: `Encrypts the ${contents} of lead-ingest (${stage.name})`,
      enableKeyRotation: true,
      removalPolicy: stage.removalPolicy,
      pendingWindow: stage.keyPendingWindow,
    });
    (key.node.defaultChild as CfnKey).overrideLogicalId(id);
    return key;
  };
  return {
    formSecrets: make('FormSecretsKey', 'webhook secrets'),
    destinationSecrets: make('DestinationSecretsKey', 'secrets of destinations'),
  };
}

/** What CDK's own grants request on a table with a customer-managed key, with the wildcards expanded. */
export const KEY_ACTIONS = {
  read: ['kms:Decrypt', 'kms:DescribeKey'],
  write: [
    'kms:Encrypt',
    'kms:GenerateDataKey',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ],
} as const;

/** Only through DynamoDB. Writers also need to read, because of how DynamoDB uses the key. */
export function secretKeyStatement(access: keyof typeof KEY_ACTIONS, keys: readonly Key[]): PolicyStatement {
  const [first] = keys;
  const region = first && Stack.of(first).region;
  return new PolicyStatement({
    actions: [...KEY_ACTIONS.read, ...(access === 'write' ? KEY_ACTIONS.write : [])],
    resources: keys.map(({ keyArn }) => keyArn),
    conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` } },
  });
}
