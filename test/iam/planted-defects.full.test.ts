import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openHttp } from '../../conformance/world/http.ts';
import { requestFor } from '../../conformance/world/submission.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import type { Surface } from '../../lambdas/model/limits.ts';
import { readMappings } from '../../local/event-source/mapping.ts';
import { makeFunctionPools } from '../../local/function-pool.ts';
import { makeRestApi, openRestApi, REST_APIS } from '../../local/gateway/rest-api.ts';
import { openGateway } from '../../local/gateway/server.ts';
import { enforceIam } from '../../local/iam/enforce-iam.ts';
import type { Statement } from '../../local/iam/evaluate.ts';
import { type Closers, makeClosers } from '../../local/lifecycle.ts';
import { readAssembly } from '../../local/synthesize.ts';
import { findStreams } from '../../local/tables.ts';
import { type Template, TemplateReader } from '../../local/template.ts';
import { openContract } from '../contract/tenant.ts';
import { eventOf } from '../lambdas/owner-api/owner-fixture.ts';
import { localStack } from '../local-stack.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// The functions of the shared stack run again on its engines, with roles that lack one grant or have a wrong one.
const stack = localStack();
const contract = openContract();

const logFolder = temporaryFolder('iam');
let closers: Closers;
let denials: string[];
beforeEach(() => {
  closers = makeClosers();
  denials = [];
});
afterEach(() => closers.close());

/** Changes the one statement of a role's policies that allows an action on a resource. */
interface Defect {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
  readonly change: (statement: Statement) => Statement;
}

function plant(template: Template, { role, action, resource, change }: Defect): Template {
  const planted = structuredClone(template) as { Resources: Record<string, Policy> };
  let changed = 0;
  for (const { Type, Properties } of Object.values(planted.Resources)) {
    if (Type !== 'AWS::IAM::Policy' || !JSON.stringify(Properties.Roles).includes(role)) continue;
    Properties.PolicyDocument.Statement = Properties.PolicyDocument.Statement.map((statement) => {
      if (!affects(statement, action, resource)) return statement;
      changed += 1;
      return change(statement);
    });
  }
  if (changed !== 1) throw new Error(`${changed} statements of ${role} allow ${action} on ${resource}`);
  return planted as Template;
}

interface Policy {
  Type: string;
  Properties: { Roles?: unknown; PolicyDocument: { Statement: Statement[] } };
}

const affects = ({ Action, Resource }: Statement, action: string, resource: string) =>
  [Action].flat().includes(action) && JSON.stringify(Resource).includes(resource);

const withoutAction = (action: string) => (statement: Statement) => ({
  ...statement,
  Action: [statement.Action ?? []].flat().filter((each) => each !== action),
});

const withoutResource = (resource: string) => (statement: Statement) => ({
  ...statement,
  Resource: [statement.Resource ?? []].flat().filter((each) => !JSON.stringify(each).includes(resource)),
});

const replacing = (part: Partial<Statement>) => (statement: Statement) => ({ ...statement, ...part });

async function start(defect?: Defect) {
  const assembly = await readAssembly(join(dirname(stack.outputsFile), 'cdk.out'));
  const template = defect ? plant(assembly.template, defect) : assembly.template;
  const reader = new TemplateReader(template, assembly.stackName);
  for (const { logicalId } of reader.resources('AWS::SQS::Queue')) {
    const url = Object.values(OUTPUTS.queues).map(stack.output);
    reader.setAttribute(
      logicalId,
      'Ref',
      // A function needs the URL of every queue, also of those that no operator uses.
      url.find((each) => each.endsWith(`/${reader.name(logicalId)}`)) ?? 'http://127.0.0.1:9/queue',
    );
  }
  const client = stack.newClient();
  closers.defer(() => client.destroy());
  await findStreams(client, reader);
  const endpoints = {
    dynamoDb: stack.output(OUTPUTS.localDynamoDbEndpoint),
    sqs: stack.output(OUTPUTS.localSqsEndpoint),
    cognito: stack.output(OUTPUTS.localCognitoEndpoint),
    ses: 'http://127.0.0.1:9',
    eventBridge: 'http://127.0.0.1:9',
    lambda: 'http://127.0.0.1:9',
    dns: '127.0.0.1:9',
  };
  const print = (line: string) => {
    if (line.startsWith('IAM ')) denials.push(line);
  };
  const access = await enforceIam({ reader, endpoints, logFolder, print }, closers);
  const surroundings = { endpoints, access, addresses: new Map() };
  const pools = makeFunctionPools(
    { ...surroundings, assembly, reader, logFolder, print, onInvoked: () => undefined },
    closers,
  );
  return { access, reader, pools };
}

type Started = Awaited<ReturnType<typeof start>>;

async function submit({ reader, pools }: Started, surface: Surface) {
  const gateway = await openGateway(0);
  closers.defer(() => gateway.close());
  gateway.serve(openRestApi(makeRestApi(REST_APIS.ingest, reader, pools)));
  const http = openHttp(gateway.url);
  closers.defer(http.close);
  return http.send(requestFor(surface, await contract.newTenant(), {}));
}

async function listForms({ reader, pools }: Started): Promise<number> {
  const { workspaceId } = await contract.newTenant();
  const fn = reader
    .resources('AWS::Lambda::Function')
    .find(({ logicalId }) => logicalId.startsWith('SettingsApiSettings'));
  const arn = reader.arn(fn?.logicalId ?? '');
  pools.open(arn);
  const event = eventOf(workspaceId, 'GET', '/settings/forms');
  return JSON.parse(await pools.invoke(arn, JSON.stringify(event))).statusCode;
}

test('the unchanged roles allow a submission on both surfaces and a list of forms', async () => {
  const started = await start();
  expect((await submit(started, '1a')).status).toBe(202);
  expect((await submit(started, '1b')).status).toBe(202);
  expect(await listForms(started)).toBe(200);
  expect(denials).toEqual([]);
});

const keyArn = (key: string) => `arn:aws:kms:us-east-1:000000000000:key/LeadIngest-dev-${key}`;

describe('a defect is named', () => {
  const ofLeads = { role: 'IngestServerRole', action: 'dynamodb:PutItem', resource: '"Leads"' };
  const ofKey = { role: 'IngestWebhookRole', action: 'kms:Decrypt', resource: 'FormSecretsKey' };
  const lacksKey = /IngestWebhook.* lacks kms:Decrypt on .*FormSecretsKey$/;
  const ViaService = { StringEquals: { 'kms:ViaService': 'sqs.us-east-1.amazonaws.com' } };
  const StringSounds = { 'dynamodb:Select': 'COUNT' };

  test.each<[string, Surface, Omit<Defect, 'change'>, Defect['change'], denial: RegExp]>([
    [
      'a missing table grant',
      ...(['1a', ofLeads, withoutResource('"Leads"')] as const),
      /^IAM denies dynamodb:PutItem: the role of LeadIngest-dev-IngestServer.* lacks dynamodb:PutItem on arn:aws:dynamodb:.*Leads$/,
    ],
    ['a KMS grant without Decrypt', '1b', ofKey, withoutAction('kms:Decrypt'), lacksKey],
    ['a KMS grant on another key', '1b', ofKey, replacing({ Resource: keyArn('AlarmKey') }), lacksKey],
    ['a KMS grant through another service', '1b', ofKey, replacing({ Condition: ViaService }), lacksKey],
    [
      'a condition that cannot be evaluated',
      ...(['1a', ofLeads, replacing({ Condition: { StringSounds } })] as const),
      /the condition operator StringSounds is not supported/,
    ],
  ])('%s', async (_, surface, where, change, denial) => {
    const started = await start({ ...where, change });
    expect((await submit(started, surface)).status).not.toBe(202);
    expect(denials).toEqual([expect.stringMatching(denial)]);
  });

  test('a missing index grant', async () => {
    const started = await start({
      role: 'SettingsApiSettingsRole',
      action: 'dynamodb:Query',
      resource: '/index/byWorkspace',
      change: withoutResource('"Forms"'),
    });
    expect(await listForms(started)).toBeGreaterThanOrEqual(500);
    expect(denials).toEqual([expect.stringMatching(/SettingsApiSettings.*Forms\/index\/byWorkspace$/)]);
  });

  test('a missing grant of a stream: Lambda would not create the mapping', async () => {
    const { access, reader } = await start({
      role: 'LeadStatsRole',
      action: 'dynamodb:GetRecords',
      resource: 'StreamArn',
      change: withoutAction('dynamodb:GetRecords'),
    });
    const check = () => readMappings(reader).forEach(access.checkMapping);
    expect(check).toThrow(/Lambda would refuse LeadStats.* not authorized to perform: dynamodb:GetRecords/);
  });
});
