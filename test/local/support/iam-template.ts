import { type Template, TemplateReader } from '#local/template.ts';

const arnOf = (logicalId: string) => ({ 'Fn::GetAtt': [logicalId, 'Arn'] });
const ROOT = { 'Fn::Join': ['', ['arn:aws:iam::', { Ref: 'AWS::AccountId' }, ':root']] };

/** Two tables, two queues and two functions, with the role of one of them left to the test, and other resources. */
export function readIamTemplate(
  statements: readonly unknown[],
  keyStatements: readonly unknown[] = [
    { Effect: 'Allow', Principal: { AWS: ROOT }, Action: 'kms:*', Resource: '*' },
  ],
  others: Template['Resources'] = {},
): TemplateReader {
  const template: Template = {
    Resources: {
      Leads: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          KeySchema: [
            { AttributeName: 'leadId', KeyType: 'HASH' },
            { AttributeName: 'part', KeyType: 'RANGE' },
          ],
          GlobalSecondaryIndexes: [
            { IndexName: 'byForm', KeySchema: [{ AttributeName: 'formId', KeyType: 'HASH' }] },
          ],
        },
      },
      Secrets: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          KeySchema: [{ AttributeName: 'slug', KeyType: 'HASH' }],
          SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
          Replicas: [{ SSESpecification: { KMSMasterKeyId: arnOf('SecretsKey') } }],
        },
      },
      SecretsKey: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Statement: keyStatements } } },
      Work: { Type: 'AWS::SQS::Queue', Properties: { KmsMasterKeyId: { Ref: 'SecretsKey' } } },
      Plain: { Type: 'AWS::SQS::Queue', Properties: { KmsMasterKeyId: 'alias/aws/sqs' } },
      WorkPolicy: {
        Type: 'AWS::SQS::QueuePolicy',
        Properties: {
          Queues: [{ Ref: 'Work' }],
          PolicyDocument: {
            Statement: {
              Effect: 'Deny',
              Principal: { AWS: '*' },
              Action: 'sqs:*',
              Resource: arnOf('Work'),
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
          },
        },
      },
      Fn: { Type: 'AWS::Lambda::Function', Properties: { Role: arnOf('FnRole') } },
      FnRole: {
        Type: 'AWS::IAM::Role',
        Properties: { Policies: [{ PolicyDocument: { Statement: statements } }] },
      },
      Twin: { Type: 'AWS::Lambda::Function', Properties: { Role: arnOf('FnRole') } },
      ...others,
    },
  };
  const reader = new TemplateReader(template, 'S');
  for (const queue of ['Work', 'Plain'])
    reader.setAttribute(queue, 'Ref', `http://127.0.0.1:1/000000000000/S-${queue}`);
  return reader;
}
