import type { Duration } from 'aws-cdk-lib';
import type { MathExpression, Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import {
  Billing,
  type CfnGlobalTable,
  type ITableV2,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { type Conditions, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ERASED_ATTRIBUTES, INDEXES, TABLE_VARIABLES, type TableKey } from '../lambdas/contract.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import {
  makeSecretKeys,
  type SecretKeys,
  type SecretTable,
  secretKeyStatement,
} from './tables/secret-keys.ts';
import { TABLE_SHAPES, throttlesOf } from './tables/shapes.ts';

/**
 * The data, one table per noun. Each grant is named after a task and allows only the calls that it needs; those of
 * sending are beside its functions.
 */
export class Tables extends Construct {
  private readonly tables: Readonly<Record<TableKey, TableV2>>;
  private readonly keys: SecretKeys;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.keys = makeSecretKeys(this, stage);
    const tables = Object.keys(TABLE_SHAPES).map((tableKey) => [
      tableKey,
      this.makeTable(tableKey as TableKey, stage),
    ]);
    this.tables = Object.fromEntries(tables);
    // TableV2 takes a customer-managed key only if the region is known at synth. This template fits any region.
    for (const [tableKey, key] of Object.entries(this.keys)) {
      resourceOf(this.tables[tableKey as TableKey]).addPropertyOverride(
        'Replicas.0.SSESpecification.KMSMasterKeyId',
        key.keyArn,
      );
    }
  }

  get all(): Readonly<Record<TableKey, ITableV2>> {
    return this.tables;
  }

  tableName(tableKey: TableKey): string {
    return this.tables[tableKey].tableName;
  }

  tableArn(tableKey: TableKey, index?: string): string {
    const { tableArn } = this.tables[tableKey];
    return index === undefined ? tableArn : `${tableArn}/index/${index}`;
  }

  metricReadUnits(tableKey: TableKey, options?: MetricOptions): Metric {
    return this.tables[tableKey].metricConsumedReadCapacityUnits(options);
  }

  metricWriteUnits(tableKey: TableKey, options?: MetricOptions): Metric {
    return this.tables[tableKey].metricConsumedWriteCapacityUnits(options);
  }

  /** Throttled reads and writes of the table and its indexes. */
  metricThrottles(tableKey: TableKey, period: Duration): MathExpression {
    return throttlesOf(tableKey, this.tableName(tableKey), period);
  }

  /** Surface 1a: finds the token by its hash. */
  grantLookUpTokens(fn: ServiceFunction): void {
    this.grant(fn, 'tokens', ['GetItem', 'BatchGetItem']);
  }

  /** Surface 1a: reads the one form to which a token is bound. */
  grantLookUpForms(fn: ServiceFunction): void {
    this.grant(fn, 'forms', ['BatchGetItem']);
  }

  /** Surface 1b: finds the forms of a slug, and reads their workspace. */
  grantFindFormsBySlug(fn: ServiceFunction): void {
    this.grant(fn, 'forms', ['Query']);
    this.grant(fn, 'workspaces', ['GetItem']);
  }

  /** Surface 1b: the secrets of a slug, then its form's. DynamoDB decrypts with the reader's permissions. */
  grantFindSecretsBySlug(fn: ServiceFunction): void {
    this.grant(fn, 'formSecrets', ['Query', 'BatchGetItem']);
    fn.allow(this.secretsKeyStatement('read', 'formSecrets'));
  }

  /** The gate: reads a workspace and its sender list, then counts a submission against it. */
  grantPassGate(fn: ServiceFunction): void {
    this.grant(fn, 'workspaces', ['BatchGetItem', 'UpdateItem']);
  }

  /** Reads and keeps the response to an idempotency key. */
  grantRememberResponses(fn: ServiceFunction): void {
    this.grant(fn, 'idempotency', ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem']);
  }

  /** Stores a new lead, alone or in a transaction: IAM checks the action of each part of a transaction. */
  grantStoreLeads(fn: ServiceFunction): void {
    this.grant(fn, 'leads', ['PutItem']);
  }

  /** Keeps the reason of a rejection, from which the recorder derives Diagnostics. */
  grantRecordRejections(fn: ServiceFunction): void {
    this.grant(fn, 'rejections', ['PutItem']);
    this.grantRecordUnauthenticated(fn);
  }

  /** The same for a function that authenticates no sender. */
  grantRecordUnauthenticated(fn: ServiceFunction): void {
    this.grant(fn, 'unauthenticatedRejections', ['PutItem']);
  }

  /** Records that a token or secret was used. */
  grantNoteUse(fn: ServiceFunction): void {
    this.grant(fn, 'diagnostics', ['UpdateItem']);
  }

  /** The recorders follow new rejections by the streams of both tables. */
  get rejectionStreams(): Readonly<Record<'authenticated' | 'unauthenticated', ITableV2>> {
    return { authenticated: this.tables.rejections, unauthenticated: this.tables.unauthenticatedRejections };
  }

  /** Counts rejections and keeps recent events, each record once. */
  grantDeriveDiagnostics(fn: ServiceFunction): void {
    this.grant(fn, 'diagnostics', ['GetItem', 'PutItem', 'Query', 'UpdateItem']);
    this.grantSeeRemoved(fn);
  }

  /** The relay and the stats function follow new leads by the table's stream. */
  get leadStream(): ITableV2 {
    return this.tables.leads;
  }

  /** Reads a lead, writes its enrichment beside it, and removes that again if the lead is gone. */
  grantEnrichLeads(fn: ServiceFunction): void {
    this.grant(fn, 'leads', ['BatchGetItem', 'PutItem', 'DeleteItem']);
  }

  /** Counts leads, unless a restore has marked them as counted, and notes which workspaces receive some. */
  grantCountLeads(fn: ServiceFunction): void {
    this.grant(fn, 'stats', ['PutItem', 'UpdateItem', 'BatchGetItem']);
    this.grantSeeRemoved(fn);
  }

  /** Whoever writes by a workspace's id alone looks whether it still exists. */
  grantSeeRemoved(fn: ServiceFunction): void {
    this.grant(fn, 'workspaces', ['BatchGetItem']);
  }

  /**
   * Settings: an owner's workspace, forms and tokens, found by the indexes that begin with a workspace and by no other.
   * A workspace is made and removed by operators alone.
   */
  grantKeepConfiguration(fn: ServiceFunction): void {
    this.grant(fn, 'workspaces', ['GetItem', 'UpdateItem']);
    this.grant(fn, 'forms', ['GetItem', 'PutItem', 'UpdateItem']);
    this.grantQueryIndex(fn, 'forms', INDEXES.formsByWorkspace);
    this.grant(fn, 'tokens', ['GetItem', 'PutItem', 'UpdateItem']);
    this.grantQueryIndex(fn, 'tokens', INDEXES.tokensByWorkspace);
  }

  /** Settings: makes and rotates the secrets of forms, and tries them in the signature debugger. */
  grantKeepSecrets(fn: ServiceFunction): void {
    this.grant(fn, 'formSecrets', ['GetItem', 'BatchGetItem', 'UpdateItem']);
    fn.allow(this.secretsKeyStatement('write', 'formSecrets'));
  }

  /** Settings: reads leads, and deletes one. In its place it puts a note that the lead was erased, and can put no more. */
  grantReadAndEraseLeads(fn: ServiceFunction): void {
    this.grant(fn, 'leads', ['GetItem', 'BatchGetItem', 'DeleteItem']);
    this.grantQueryIndex(fn, 'leads', INDEXES.leadsByForm);
    this.grant(fn, 'leads', ['PutItem'], {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...ERASED_ATTRIBUTES] },
    });
  }

  grantReadStats(fn: ServiceFunction): void {
    this.grant(fn, 'stats', ['Query']);
  }

  /** Settings: when tokens and secrets were last used. */
  grantReadLastUse(fn: ServiceFunction): void {
    this.grant(fn, 'diagnostics', ['Query']);
  }

  /** Diagnostics: counts and events by time, and every rejection by its request id. */
  grantReadDiagnostics(fn: ServiceFunction): void {
    this.grant(fn, 'diagnostics', ['Query']);
    this.grant(fn, 'rejections', ['Query']);
    this.grant(fn, 'unauthenticatedRejections', ['Query']);
  }

  /** On the table only: CDK's own grants would add every index. */
  grant(fn: ServiceFunction, tableKey: TableKey, actions: readonly string[], conditions?: Conditions): void {
    fn.setVariable(TABLE_VARIABLES[tableKey], this.tables[tableKey].tableName);
    fn.allow(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [this.tableArn(tableKey)],
        ...(conditions && { conditions }),
      }),
    );
  }

  grantQueryIndex(fn: ServiceFunction, tableKey: TableKey, index: string): void {
    fn.allow(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [this.tableArn(tableKey, index)],
      }),
    );
  }

  secretsKeyStatement(access: 'read' | 'write', ...of: readonly SecretTable[]): PolicyStatement {
    const keys = of.map((table) => this.keys[table]);
    return secretKeyStatement(access, keys);
  }

  private makeTable(tableKey: TableKey, stage: Stage): TableV2 {
    const id = tableKey.charAt(0).toUpperCase() + tableKey.slice(1);
    const table = new TableV2(this, id, {
      billing: Billing.onDemand(),
      ...TABLE_SHAPES[tableKey],
      encryption: TableEncryptionV2.awsManagedKey(),
      removalPolicy: stage.removalPolicy,
      deletionProtection: stage.keepsData,
    });
    // A table whose logical id changes is replaced by an empty one, so the id must not depend on the construct's path.
    resourceOf(table).overrideLogicalId(id);
    return table;
  }
}

const resourceOf = (table: TableV2) => table.node.defaultChild as CfnGlobalTable;
