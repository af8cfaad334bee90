import type { Duration } from 'aws-cdk-lib';
import { type MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type Attribute,
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  type TablePropsV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { INDEXES, type TableKey, TTL_ATTRIBUTE } from '../../lambdas/contract.ts';
import { sumOf } from '../monitoring/service-metric.ts';

/** Point-in-time recovery for 35 days. */
const RECOVERABLE = { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true } };

/** By request id, which a client can choose: the sort key distinguishes senders and requests. */
const REJECTIONS: TablePropsV2 = {
  partitionKey: { name: 'requestId', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  dynamoStream: StreamViewType.NEW_IMAGE,
  timeToLiveAttribute: TTL_ATTRIBUTE,
};

/** Keys, indexes and life of each table. A key cannot be changed later: it makes a new, empty table. */
export const TABLE_SHAPES: Readonly<Record<TableKey, TablePropsV2>> = {
  workspaces: { partitionKey: text('workspaceId'), ...RECOVERABLE },

  forms: {
    partitionKey: text('slug'),
    sortKey: text('formId'),
    globalSecondaryIndexes: [
      index(INDEXES.formsByWorkspace, 'workspaceId', 'formId'),
      keysOnly(INDEXES.formsById, 'formId'),
    ],
    ...RECOVERABLE,
  },

  // In no index, because a copy of a secret is another place to read it from.
  formSecrets: { partitionKey: text('slug'), sortKey: text('formId'), ...RECOVERABLE },

  tokens: {
    partitionKey: text('tokenHash'),
    globalSecondaryIndexes: [
      index(INDEXES.tokensByWorkspace, 'workspaceId', 'tokenId'),
      keysOnly(INDEXES.tokensById, 'tokenId'),
    ],
    ...RECOVERABLE,
  },

  leads: {
    partitionKey: text('leadId'),
    sortKey: text('part'),
    globalSecondaryIndexes: [
      {
        ...index(INDEXES.leadsByForm, 'formId', 'leadId'),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['workspaceId', 'surface', 'score', 'clean', 'receivedAt'],
      },
    ],
    // From the start: another view later would be a new stream, without what waits in this one.
    dynamoStream: StreamViewType.NEW_IMAGE,
    // Only leads of forms whose owners asked for it expire.
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...RECOVERABLE,
  },

  // Not recoverable: it lives for 24 hours, so a restored record has little or nothing left to promise.
  idempotency: { partitionKey: text('keyHash'), timeToLiveAttribute: TTL_ATTRIBUTE },

  // Not recoverable: records expire after 30 days or one, and nothing but Diagnostics is built on them.
  rejections: REJECTIONS,
  unauthenticatedRejections: {
    ...REJECTIONS,
    // Bounds what a flood of unauthenticated requests can cost. Writes above it are dropped and counted.
    billing: Billing.onDemand({ maxWriteRequestUnits: 1_000 }),
  },

  // Not recoverable: counts and a bounded sample of rejections, on which nothing else is built.
  diagnostics: {
    partitionKey: text('workspaceId'),
    sortKey: text('sk'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
  },

  // Counters stay. The marks that recognize a redelivered lead expire after two days.
  stats: {
    partitionKey: text('workspaceId'),
    sortKey: text('sk'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...RECOVERABLE,
  },

  destinations: { partitionKey: text('workspaceId'), sortKey: text('destinationId'), ...RECOVERABLE },

  // In no index: a copy of a secret is one more place to read it from.
  destinationSecrets: { partitionKey: text('destinationId'), ...RECOVERABLE },

  // The owner's settings, baselines, open alerts and their history.
  alerts: {
    partitionKey: text('workspaceId'),
    sortKey: text('sk'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...RECOVERABLE,
  },

  // Not recoverable: `leadctl leads reindex` makes it again from the leads.
  leadIndex: {
    partitionKey: text('bucket'),
    sortKey: text('leadId'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
  },

  // The people of a workspace and their roles. What is left of a removed member expires.
  members: {
    partitionKey: text('workspaceId'),
    sortKey: text('memberId'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...RECOVERABLE,
  },

  // By the hash of the key, like server tokens.
  apiKeys: {
    partitionKey: text('keyHash'),
    globalSecondaryIndexes: [index(INDEXES.apiKeysByWorkspace, 'workspaceId', 'keyId')],
    ...RECOVERABLE,
  },

  // Who changed what, for 400 days.
  activity: {
    partitionKey: text('workspaceId'),
    sortKey: text('activityId'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...RECOVERABLE,
  },

  // The links in mails by their hash, and who wants no mail. A lost suppression would mail somebody who stopped it.
  recipients: {
    partitionKey: text('recipientKey'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...RECOVERABLE,
  },

  // Not recoverable: a restored message would be sent a second time.
  messages: {
    partitionKey: text('destinationId'),
    sortKey: text('sk'),
    globalSecondaryIndexes: [
      {
        // Sparse: only what waits is in it.
        indexName: INDEXES.messagesByDueTime,
        partitionKey: text('queue'),
        sortKey: { name: 'dueAt', type: AttributeType.NUMBER },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['workspaceId', 'leadId', 'type', 'formId', 'createdAt', 'nextAttemptAt'],
      },
    ],
    timeToLiveAttribute: TTL_ATTRIBUTE,
  },
};

function index(indexName: string, partitionKey: string, sortKey: string): GlobalSecondaryIndexPropsV2 {
  return {
    indexName,
    partitionKey: text(partitionKey),
    sortKey: text(sortKey),
    projectionType: ProjectionType.ALL,
  };
}

/** Finds the table's key by an id; the item itself is then read where reads are consistent. */
function keysOnly(indexName: string, partitionKey: string): GlobalSecondaryIndexPropsV2 {
  return { indexName, partitionKey: text(partitionKey), projectionType: ProjectionType.KEYS_ONLY };
}

function text(name: string): Attribute {
  return { name, type: AttributeType.STRING };
}

/** DynamoDB counts a table and its indexes separately, and a throttled index also throttles its table. */
export function throttlesOf(tableKey: TableKey, TableName: string, period: Duration): MathExpression {
  const indexes = TABLE_SHAPES[tableKey].globalSecondaryIndexes ?? [];
  const places: Record<string, string>[] = [
    { TableName },
    ...indexes.map(({ indexName }) => ({ TableName, GlobalSecondaryIndexName: indexName })),
  ];
  const metrics = places.flatMap((dimensions) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => countOf(name, dimensions, period)),
  );
  return sumOf(metrics, tableKey, period);
}

function countOf(metricName: string, dimensionsMap: Record<string, string>, period: Duration): Metric {
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum', period });
}
