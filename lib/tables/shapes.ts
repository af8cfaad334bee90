import {
  type Attribute,
  AttributeType,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  type TablePropsV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { INDEXES, type TableNoun, TTL_ATTRIBUTE } from '../../lambdas/contract.ts';

/** Restorable to any second of the last 35 days. */
const RECOVERABLE = { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true } };

/** By request id, which a client can choose: the sort key tells apart whose request it was, and which. */
const REJECTIONS: TablePropsV2 = {
  partitionKey: { name: 'requestId', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  dynamoStream: StreamViewType.NEW_IMAGE,
  timeToLiveAttribute: TTL_ATTRIBUTE,
};

/** Keys, indexes and life of each table. A key cannot be changed later: it makes a new, empty table. */
export const TABLE_SHAPES: Readonly<Record<TableNoun, TablePropsV2>> = {
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

  // In no index: a copy of a secret is one more place to read it from.
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
  unauthenticatedRejections: REJECTIONS,

  // Not recoverable: counts and a bounded sample of rejections, on which nothing else is built.
  diagnostics: {
    partitionKey: text('workspaceId'),
    sortKey: text('sk'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
  },

  // Counters for ever, and the marks by which a redelivered lead is known, for two days.
  stats: {
    partitionKey: text('workspaceId'),
    sortKey: text('sk'),
    timeToLiveAttribute: TTL_ATTRIBUTE,
    ...RECOVERABLE,
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
