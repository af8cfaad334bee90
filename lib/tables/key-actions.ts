/** What CDK's own grants ask for on a table with a customer-managed key, with the wildcards written out. */
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
