/** Grants that nothing on one machine can show to be needed, by action, with the reason. */
export const NOT_EXERCISED: Readonly<Record<string, string>> = {
  'logs:CreateLogStream': 'Lambda writes the logs; here they are files',
  'logs:PutLogEvents': 'Lambda writes the logs; here they are files',
  'xray:PutTelemetryRecords': 'X-Ray has no local engine',
  'xray:PutTraceSegments': 'X-Ray has no local engine',
  'secretsmanager:GetSecretValue': 'Secrets Manager has no local engine',
  'kms:DescribeKey': 'AWS does not say whether a read or write of an item needs it',
  'kms:Encrypt': 'AWS does not say whether a write of an item needs it',
  'kms:GenerateDataKey': 'AWS does not say whether a write of an item needs it',
  'kms:GenerateDataKeyWithoutPlaintext': 'AWS does not say whether a write of an item needs it',
  'kms:ReEncryptFrom': 'AWS does not say whether a write of an item needs it',
  'kms:ReEncryptTo': 'AWS does not say whether a write of an item needs it',
};
