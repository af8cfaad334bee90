/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html */
const CHOOSING =
  "AWS asks for it of whoever chooses a table's key, and does not say that reads or writes of items need it";

/** Grants that nothing on one machine can show to be needed, by action, with the reason. */
export const NOT_EXERCISED: Readonly<Record<string, string>> = {
  'logs:CreateLogStream': 'Lambda writes the logs; here they are files',
  'logs:PutLogEvents': 'Lambda writes the logs; here they are files',
  'xray:PutTelemetryRecords': 'X-Ray has no local engine',
  'xray:PutTraceSegments': 'X-Ray has no local engine',
  'secretsmanager:GetSecretValue': 'Secrets Manager has no local engine',
  'kms:DescribeKey': CHOOSING,
  'kms:Encrypt': CHOOSING,
  'kms:GenerateDataKey': CHOOSING,
  'kms:GenerateDataKeyWithoutPlaintext': CHOOSING,
  'kms:ReEncryptFrom': CHOOSING,
  'kms:ReEncryptTo': CHOOSING,
};
