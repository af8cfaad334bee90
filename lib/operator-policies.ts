import { Stack } from 'aws-cdk-lib';
import { type CfnManagedPolicy, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { INDEXES, type TableKey } from '../lambdas/contract.ts';
import { acknowledgeWildcards, type Reasoned } from './acknowledge-wildcards.ts';
import type { Enrichment } from './enrichment.ts';
import type { Learning } from './learning.ts';
import { DOCTOR_SID, doctorStatements } from './operator-policies/doctor.ts';
import type { Owners } from './owners.ts';
import type { Search } from './search.ts';
import type { Sending } from './sending.ts';
import type { OwnDomain } from './settings.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

type Actions<Name extends string> = Readonly<Partial<Record<Name, readonly string[]>>>;

type QueueNoun =
  | 'enrichment'
  | 'deadLetters'
  | 'events'
  | 'sending'
  | 'slowSending'
  | 'sendingDeadLetters'
  | 'index'
  | 'learning';

/** Permissions on the data, by the names of DynamoDB's, SQS's and Cognito's actions. */
export interface Access {
  readonly tables: Actions<TableKey>;
  /** Which indexes may be queried. */
  readonly indexes: Actions<TableKey>;
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
    leadIndex: ['Query', 'BatchGetItem'],
    diagnostics: ['Query'],
    rejections: ['Query'],
    unauthenticatedRejections: ['Query'],
    destinations: ['GetItem', 'Query'],
    messages: ['BatchGetItem', 'Query'],
    alerts: ['BatchGetItem', 'Query'],
    members: ['Query'],
  },
  indexes: {
    forms: [INDEXES.formsByWorkspace, INDEXES.formsById],
    tokens: [INDEXES.tokensByWorkspace],
    leads: [INDEXES.leadsByForm],
    apiKeys: [INDEXES.apiKeysByWorkspace],
  },
  // To look at a message, it is received and returned.
  queues: {
    deadLetters: ['GetQueueAttributes', 'ReceiveMessage', 'ChangeMessageVisibility'],
    sendingDeadLetters: ['GetQueueAttributes', 'ReceiveMessage', 'ChangeMessageVisibility'],
    enrichment: ['GetQueueAttributes'],
    sending: ['GetQueueAttributes'],
    index: ['GetQueueAttributes'],
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
    alerts: ['PutItem', 'BatchWriteItem'],
    leadIndex: ['PutItem', 'BatchWriteItem'],
    members: ['BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    apiKeys: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    activity: ['BatchGetItem', 'Query', 'PutItem', 'BatchWriteItem'],
    recipients: ['BatchGetItem', 'PutItem', 'DeleteItem', 'BatchWriteItem'],
  },
  indexes: { tokens: [INDEXES.tokensById] },
  queues: {
    enrichment: ['SendMessage'],
    sending: ['SendMessage'],
    // Dead letters of sending return to the queue they came from.
    events: ['SendMessage'],
    slowSending: ['SendMessage'],
    index: ['SendMessage'],
    learning: ['SendMessage'],
    deadLetters: ['StartMessageMoveTask', 'ListMessageMoveTasks', 'DeleteMessage'],
    sendingDeadLetters: ['StartMessageMoveTask', 'ListMessageMoveTasks', 'DeleteMessage'],
  },
  owners: ['AdminCreateUser', 'AdminDeleteUser', 'AdminSetUserPassword', 'AdminUserGlobalSignOut'],
};

function together(one: Access, other: Access): Access {
  return {
    tables: allOf(one.tables, other.tables),
    indexes: allOf(one.indexes, other.indexes),
    queues: allOf(one.queues, other.queues),
    owners: [...one.owners, ...other.owners],
  };
}

/** One statement grants the scans of all tables. */
function withoutScans({ tables, ...access }: Access): Access {
  const rest = entries(tables).map(([tableKey, actions]) => [
    tableKey,
    actions.filter((each) => each !== 'Scan'),
  ]);
  return { ...access, tables: Object.fromEntries(rest) };
}

function allOf<Name extends string>(one: Actions<Name>, other: Actions<Name>): Actions<Name> {
  const names = Object.keys({ ...one, ...other }) as Name[];
  const entries = names.map((name) => [name, [...(one[name] ?? []), ...(other[name] ?? [])]]);
  return Object.fromEntries(entries) as Actions<Name>;
}

export interface OperatorPoliciesProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly enrichment: Enrichment;
  readonly sending: Sending;
  readonly search: Search;
  readonly learning: Learning;
  readonly owners: Owners;
  readonly ingestDomain: OwnDomain | undefined;
  readonly consoleDomain: OwnDomain | undefined;
  readonly mailFrom: string | undefined;
}

/** The permissions for people who run `leadctl`, and no more. Nobody has them until an administrator attaches one. */
export class OperatorPolicies extends Construct {
  readonly readPolicyArn: string;
  readonly fullPolicyArn: string;
  private readonly props: OperatorPoliciesProps;

  constructor(scope: Construct, id: string, props: OperatorPoliciesProps) {
    super(scope, id);
    this.props = props;
    const { stage, tables } = props;
    this.readPolicyArn = this.makePolicy(
      'OperatorReadPolicy',
      `Lets an operator of lead-ingest (${stage.name}) look at everything but webhook secrets`,
      [...this.statementsFor(READ_ACCESS), ...doctorStatements({ stack: Stack.of(this), ...props })],
    );
    // What `leadctl doctor` asks AWS besides is in the other policy alone: both together would not fit into one.
    this.fullPolicyArn = this.makePolicy(
      'OperatorPolicy',
      `Lets an operator of lead-ingest (${stage.name}) use every command of leadctl but doctor`,
      [
        // Merged, so that each table is in one statement: a managed policy has little room.
        ...this.statementsFor(withoutScans(together(READ_ACCESS, FULL_ACCESS))),
        this.scanEveryTable(),
        this.readBack(),
        { statement: tables.secretsKeyStatement('write', 'formSecrets', 'destinationSecrets') },
      ],
    );
  }

  private statementsFor({ tables, indexes, queues, owners }: Access): Reasoned[] {
    const { tables: stored, enrichment, sending, search, learning, owners: pool } = this.props;
    const queueArns = {
      enrichment: enrichment.queue.queueArn,
      deadLetters: enrichment.deadLetters.queueArn,
      events: sending.events.queueArn,
      sending: sending.queue.queueArn,
      slowSending: sending.slowQueue.queueArn,
      sendingDeadLetters: sending.deadLetters.queueArn,
      index: search.queue.queueArn,
      learning: learning.queue.queueArn,
    };
    const ofIndexes = entries(indexes).flatMap(([tableKey, names]) =>
      names.map((name): Granted => [['Query'], stored.tableArn(tableKey, name)]),
    );
    return [
      ...allowEach('dynamodb', [
        ...entries(tables).map(([tableKey, actions]): Granted => [actions, stored.tableArn(tableKey)]),
        ...ofIndexes,
      ]),
      ...allowEach(
        'sqs',
        entries(queues).map(([name, actions]): Granted => [actions, queueArns[name]]),
      ),
      allow('cognito-idp', owners, [pool.userPoolArn]),
    ];
  }

  /** A backup reads every table; a restore also reads tables restored by AWS or left by an earlier stack. */
  private scanEveryTable(): Reasoned {
    const stack = Stack.of(this);
    const resourceName = `${stack.stackName}-*`;
    return {
      ...allow(
        'dynamodb',
        ['Scan'],
        [stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName })],
      ),
      wildcard: 'A table that was restored beside the stack has a name that nobody knows yet.',
    };
  }

  /** The doctor sends a lead and looks for it. */
  private readBack(): Reasoned {
    const { statement } = allow('dynamodb', ['GetItem'], [this.props.tables.tableArn('leads')]);
    statement.sid = `${DOCTOR_SID}RoundTrip`;
    return { statement };
  }

  private makePolicy(id: string, description: string, statements: readonly Reasoned[]): string {
    const policy = new ManagedPolicy(this, id, {
      description,
      statements: statements.map(({ statement }) => statement.copy()),
    });
    // Under another id it would be a new policy, and everyone who has the old one attached would lose it.
    (policy.node.defaultChild as CfnManagedPolicy).overrideLogicalId(id);
    acknowledgeWildcards(policy, statements);
    return policy.managedPolicyArn;
  }
}

type Granted = readonly [actions: readonly string[], resource: string];

/** One statement for all resources with the same actions: a managed policy has little room. */
function allowEach(service: string, granted: readonly Granted[]): Reasoned[] {
  const keyOf = (actions: readonly string[]) => [...actions].sort().join();
  return [...new Set(granted.map(([actions]) => keyOf(actions)))].map((key) => {
    const group = granted.filter(([actions]) => keyOf(actions) === key);
    const resources = group.map(([, resource]) => resource);
    return allow(service, group[0]?.[0] ?? [], resources);
  });
}

function allow(service: string, actions: readonly string[], resources: string[]): Reasoned {
  return {
    statement: new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources }),
  };
}

function entries<Name extends TableKey | QueueNoun>(actions: Actions<Name>): [Name, readonly string[]][] {
  return Object.entries(actions) as [Name, readonly string[]][];
}
