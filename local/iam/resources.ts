import type { KeySchemaElement } from '@aws-sdk/client-dynamodb';
import type { Resource, TemplateReader } from '../template.ts';
import type { ResourceStatement } from './policies.ts';

interface IndexShape {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
}

export interface TableResource {
  readonly name: string;
  readonly arn: string;
  /** The partition key of the table (under `''`) and of its indexes. */
  readonly partitionKeys: ReadonlyMap<string, string>;
  /** Of the customer's own key that encrypts the table. */
  readonly keyArn: string | undefined;
}

export interface QueueResource {
  readonly name: string;
  readonly arn: string;
  readonly keyArn: string | undefined;
}

/** What functions call, as far as IAM is concerned. */
export interface Resources {
  readonly tables: ReadonlyMap<string, TableResource>;
  readonly queues: ReadonlyMap<string, QueueResource>;
  /** The policies of keys and queues by the ARN of their resource. */
  readonly policies: ReadonlyMap<string, readonly ResourceStatement[]>;
}

export function readResources(reader: TemplateReader): Resources {
  const tables = reader
    .resources('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table')
    .map(readTable(reader));
  const queues = reader.resources('AWS::SQS::Queue').map((queue) => ({
    name: reader.name(queue.logicalId),
    arn: reader.arn(queue.logicalId),
    keyArn: keyArn(queue.property('KmsMasterKeyId'), reader),
  }));
  return {
    tables: new Map(tables.map((table) => [table.name, table])),
    queues: new Map(queues.map((queue) => [queue.name, queue])),
    policies: new Map([...readKeyPolicies(reader), ...readQueuePolicies(reader)]),
  };
}

interface Replica {
  readonly SSESpecification?: { readonly KMSMasterKeyId?: string };
  readonly ResourcePolicy?: unknown;
}

function readTable(reader: TemplateReader) {
  return (table: Resource): TableResource => {
    const { logicalId } = table;
    const replicas = table.property<Replica[]>('Replicas') ?? [];
    if ([table.property('ResourcePolicy'), ...replicas.map((it) => it.ResourcePolicy)].some(Boolean)) {
      throw new Error(`${logicalId} has a resource policy, which is not evaluated here`);
    }
    const keys = [table.property<Replica['SSESpecification']>('SSESpecification')?.KMSMasterKeyId];
    keys.push(...replicas.map((it) => it.SSESpecification?.KMSMasterKeyId));
    const indexes = ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes'].flatMap(
      (property) => table.property<IndexShape[]>(property) ?? [],
    );
    return {
      name: reader.ref(logicalId),
      arn: reader.arn(logicalId),
      partitionKeys: new Map([
        ['', partitionKey(table.required('KeySchema'))],
        ...indexes.map((index) => [index.IndexName, partitionKey(index.KeySchema)] as const),
      ]),
      keyArn: keyArn(
        keys.find((key) => key !== undefined),
        reader,
      ),
    };
  };
}

function partitionKey(schema: readonly KeySchemaElement[]): string {
  const name = schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
  if (name === undefined) throw new Error('a key schema has no partition key');
  return name;
}

/** Resources name their key by its id or its ARN. Aliases, of AWS's own keys for one, are left to AWS. */
function keyArn(key: string | undefined, reader: TemplateReader): string | undefined {
  if (key === undefined || key.startsWith('alias/aws/')) return undefined;
  const found = reader
    .resources('AWS::KMS::Key')
    .find(({ logicalId }) => [reader.ref(logicalId), reader.arn(logicalId)].includes(key));
  if (found === undefined) throw new Error(`the template has no key ${key}`);
  return reader.arn(found.logicalId);
}

interface PolicyDocument {
  readonly Statement: ResourceStatement | readonly ResourceStatement[];
}

function readKeyPolicies(reader: TemplateReader): [string, ResourceStatement[]][] {
  return reader
    .resources('AWS::KMS::Key')
    .map((key) => [reader.arn(key.logicalId), statementsIn(key.required('KeyPolicy'))]);
}

function readQueuePolicies(reader: TemplateReader): [string, ResourceStatement[]][] {
  const arns = new Map(
    reader
      .resources('AWS::SQS::Queue')
      .map(({ logicalId }) => [reader.ref(logicalId), reader.arn(logicalId)]),
  );
  return reader
    .resources('AWS::SQS::QueuePolicy')
    .flatMap((policy) =>
      policy
        .required<string[]>('Queues')
        .map((url): [string, ResourceStatement[]] => [
          arns.get(url) ?? url,
          statementsIn(policy.required('PolicyDocument')),
        ]),
    );
}

function statementsIn({ Statement }: PolicyDocument): ResourceStatement[] {
  return [Statement].flat();
}
