import { Stack } from 'aws-cdk-lib';
import { type CfnManagedPolicy, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { TableNoun } from '../lambdas/contract.ts';
import { acknowledgeWildcards, type Reasoned } from './acknowledge-wildcards.ts';
import type { OwnDomain } from './context.ts';
import type { Enrichment } from './enrichment.ts';
import {
  type Access,
  FULL_ACCESS,
  type QueueNoun,
  READ_ACCESS,
  together,
} from './operator-policies/access.ts';
import { DOCTOR_SID, doctorStatements } from './operator-policies/doctor.ts';
import type { Owners } from './owners.ts';
import type { Sending } from './sending.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface OperatorPoliciesProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly enrichment: Enrichment;
  readonly sending: Sending;
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
      `Lets an operator of lead-ingest (${stage.name}) use every command of leadctl`,
      [
        // Merged, so that each table is in one statement: a managed policy has little room.
        ...this.statementsFor(together(READ_ACCESS, FULL_ACCESS)),
        this.scanEveryTable(),
        this.readBack(),
        { statement: tables.secretsKeyStatement('write', 'formSecrets', 'destinationSecrets') },
      ],
    );
  }

  private statementsFor({ tables, indexes, queues, owners }: Access): Reasoned[] {
    const { tables: stored, enrichment, sending, owners: pool } = this.props;
    const queueArns = {
      enrichment: enrichment.queueArn,
      deadLetters: enrichment.deadLetterQueueArn,
      events: sending.events.queueArn,
      sending: sending.queue.queueArn,
      sendingDeadLetters: sending.deadLetters.queueArn,
    };
    const ofIndexes = entries(indexes).flatMap(([noun, names]) =>
      names.map((name): Granted => [['Query'], stored.tableArn(noun, name)]),
    );
    return [
      ...allowEach('dynamodb', [
        ...entries(tables).map(([noun, actions]): Granted => [actions, stored.tableArn(noun)]),
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
    // Under another id it would be a new policy, and whoever has the old one attached would lose it.
    (policy.node.defaultChild as CfnManagedPolicy).overrideLogicalId(id);
    acknowledgeWildcards(policy, statements);
    return policy.managedPolicyArn;
  }
}

type Granted = readonly [actions: readonly string[], resource: string];

/** One statement for all resources with the same actions: a managed policy has little room. */
function allowEach(service: string, granted: readonly Granted[]): Reasoned[] {
  const bySameActions = Map.groupBy(granted, ([actions]) => [...actions].sort().join());
  return [...bySameActions.values()].map((group) =>
    allow(
      service,
      group[0]?.[0] ?? [],
      group.map(([, resource]) => resource),
    ),
  );
}

function allow(service: string, actions: readonly string[], resources: string[]): Reasoned {
  return {
    statement: new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources }),
  };
}

function entries<Name extends TableNoun | QueueNoun>(
  actions: Readonly<Partial<Record<Name, readonly string[]>>>,
): [Name, readonly string[]][] {
  return Object.entries(actions) as [Name, readonly string[]][];
}
