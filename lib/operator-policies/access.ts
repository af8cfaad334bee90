import { INDEXES, type TableNoun } from '../../lambdas/contract.ts';

type Actions<Name extends string> = Readonly<Partial<Record<Name, readonly string[]>>>;

export type QueueNoun = 'enrichment' | 'deadLetters' | 'events' | 'sending' | 'sendingDeadLetters';

/** Permissions on the data, by the names of DynamoDB's, SQS's and Cognito's actions. */
export interface Access {
  readonly tables: Actions<TableNoun>;
  /** Which indexes may be queried. */
  readonly indexes: Actions<TableNoun>;
  readonly queues: Actions<QueueNoun>;
  readonly owners: readonly string[];
}

/** What `leadctl` looks at. No secrets: `explain` and `send --use-form-secret` need FULL_ACCESS. */
export const READ_ACCESS: Access = {
  tables: {
    workspaces: ['GetItem', 'Scan'],
    forms: ['GetItem', 'Query'],
    tokens: ['GetItem'],
    leads: ['BatchGetItem'],
    diagnostics: ['Query'],
    rejections: ['Query'],
    unauthenticatedRejections: ['Query'],
    destinations: ['GetItem', 'Query'],
    messages: ['BatchGetItem', 'Query'],
  },
  indexes: {
    forms: [INDEXES.formsByWorkspace, INDEXES.formsById],
    tokens: [INDEXES.tokensByWorkspace],
    leads: [INDEXES.leadsByForm],
  },
  // To look at a message, it is received and returned.
  queues: {
    deadLetters: ['GetQueueAttributes', 'ReceiveMessage', 'ChangeMessageVisibility'],
    sendingDeadLetters: ['GetQueueAttributes', 'ReceiveMessage', 'ChangeMessageVisibility'],
    enrichment: ['GetQueueAttributes'],
    sending: ['GetQueueAttributes'],
  },
  owners: ['ListUsers'],
};

/** What `leadctl` does besides: settings, owners, erasing, offboarding, backup and restore. Scans are granted apart. */
export const FULL_ACCESS: Access = {
  tables: {
    workspaces: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    forms: ['BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    formSecrets: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    tokens: ['BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    leads: ['PutItem', 'DeleteItem', 'BatchWriteItem'],
    idempotency: ['BatchGetItem', 'PutItem'],
    rejections: ['BatchWriteItem'],
    unauthenticatedRejections: ['BatchWriteItem'],
    diagnostics: ['BatchWriteItem'],
    stats: ['Query', 'BatchGetItem', 'PutItem', 'BatchWriteItem'],
    destinations: ['BatchGetItem', 'PutItem', 'DeleteItem'],
    destinationSecrets: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    messages: ['BatchWriteItem'],
  },
  indexes: { tokens: [INDEXES.tokensById] },
  queues: {
    enrichment: ['SendMessage'],
    sending: ['SendMessage'],
    // Dead letters of sending return to the queue they came from.
    events: ['SendMessage'],
    deadLetters: ['StartMessageMoveTask', 'ListMessageMoveTasks', 'DeleteMessage'],
    sendingDeadLetters: ['StartMessageMoveTask', 'ListMessageMoveTasks', 'DeleteMessage'],
  },
  owners: ['AdminCreateUser', 'AdminDeleteUser'],
};

export function together(one: Access, other: Access): Access {
  return {
    tables: allOf(one.tables, other.tables),
    indexes: allOf(one.indexes, other.indexes),
    queues: allOf(one.queues, other.queues),
    owners: [...one.owners, ...other.owners],
  };
}

function allOf<Name extends string>(one: Actions<Name>, other: Actions<Name>): Actions<Name> {
  const names = Object.keys({ ...one, ...other }) as Name[];
  const entries = names.map((name) => [name, [...(one[name] ?? []), ...(other[name] ?? [])]]);
  return Object.fromEntries(entries) as Actions<Name>;
}
