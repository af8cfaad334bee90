import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { INDEXES, type TableKey } from '../../lambdas/contract.ts';
import type { Reasoned } from '../acknowledge-wildcards.ts';
import { OWN_TAGS } from '../context/kinds.ts';
import type { StageName } from '../stage.ts';
import { KEY_ACTIONS } from '../tables/secret-keys.ts';

type Actions = Readonly<Partial<Record<TableKey, readonly string[]>>>;

/** The conformance run's access to the tables: it creates workspaces, reads the results, and removes them. */
const TABLES: Actions = {
  workspaces: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  forms: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
  formSecrets: ['GetItem', 'BatchGetItem', 'UpdateItem', 'BatchWriteItem'],
  tokens: ['GetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
  leads: ['DeleteItem', 'BatchWriteItem'],
  rejections: ['Query', 'Scan', 'BatchWriteItem'],
  unauthenticatedRejections: ['Query', 'Scan', 'BatchWriteItem'],
  diagnostics: ['Query', 'BatchWriteItem'],
  stats: ['Query', 'BatchGetItem', 'BatchWriteItem'],
  // What the watch has written about a workspace, if it ran in between.
  alerts: ['Query', 'BatchWriteItem'],
  // Offboarding removes what the indexer has written.
  leadIndex: ['Query', 'BatchWriteItem'],
  // Who signed in to it.
  members: ['Query', 'BatchWriteItem'],
  activity: ['Query', 'BatchWriteItem'],
  // Offboarding looks for destinations; conformance makes none.
  destinations: ['Query'],
  // The same for links in mails, which conformance does not make.
  recipients: ['Scan'],
};

const QUERIED: Actions = {
  forms: [INDEXES.formsByWorkspace, INDEXES.formsById],
  tokens: [INDEXES.tokensByWorkspace, INDEXES.tokensById],
  leads: [INDEXES.leadsByForm],
  // Offboarding looks for API keys; conformance makes none.
  apiKeys: [INDEXES.apiKeysByWorkspace],
};

const OWNERS = [
  'AdminCreateUser',
  'AdminSetUserPassword',
  'AdminInitiateAuth',
  'ListUsers',
  'AdminDeleteUser',
];

const NOT_MADE_YET = 'CloudFormation generates the last part of table names.';
const BY_TAG = 'AWS generates the ID. The condition requires the tags of this service and stage.';

/** The same for a stack that does not exist yet: tables by the start of their names, the rest by tags. */
export function conformanceStatements(stack: Stack, stage: StageName): Reasoned[] {
  const tableArn = (tableKey: TableKey, index?: string) => {
    const name = `LeadIngest-${stage}-${tableKey[0]?.toUpperCase()}${tableKey.slice(1)}-*`;
    const resourceName = index === undefined ? name : `${name}/index/${index}`;
    return stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName });
  };
  const tagged = {
    [`aws:ResourceTag/${OWN_TAGS.service}`]: 'lead-ingest',
    [`aws:ResourceTag/${OWN_TAGS.stage}`]: stage,
  };
  const entries = (actions: Actions) => Object.entries(actions) as [TableKey, readonly string[]][];
  return [
    ...entries(TABLES).map(([tableKey, actions]) => ({
      statement: new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [tableArn(tableKey)],
      }),
      wildcard: NOT_MADE_YET,
    })),
    ...entries(QUERIED).map(([tableKey, indexes]) => ({
      statement: new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: indexes.map((index) => tableArn(tableKey, index)),
      }),
      wildcard: NOT_MADE_YET,
    })),
    {
      statement: new PolicyStatement({
        actions: OWNERS.map((action) => `cognito-idp:${action}`),
        resources: [stack.formatArn({ service: 'cognito-idp', resource: 'userpool', resourceName: '*' })],
        conditions: { StringEquals: tagged },
      }),
      wildcard: BY_TAG,
    },
    {
      statement: new PolicyStatement({
        actions: [...KEY_ACTIONS.read, ...KEY_ACTIONS.write],
        resources: [stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*' })],
        conditions: {
          StringEquals: { ...tagged, 'kms:ViaService': `dynamodb.${stack.region}.amazonaws.com` },
        },
      }),
      wildcard: BY_TAG,
    },
  ];
}
