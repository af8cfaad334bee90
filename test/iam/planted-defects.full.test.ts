import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

// The functions of the shared stack run again on its engines, with roles that lack one grant or have a wrong one.
const stack = localStack();
const contract = openContract();

let closers: Closers;
let logFolder: string;
let denials: string[];
beforeEach(() => {
  closers = makeClosers();
  logFolder = mkdtempSync(join(tmpdir(), 'iam-'));
  denials = [];
});
afterEach(async () => {
  await closers.close();
  rmSync(logFolder, { recursive: true });
});

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

const name = (logicalId: string) => expect.stringContaining(logicalId);

test('the unchanged roles allow a submission on both surfaces and a list of forms', async () => {
  const started = await start();
  expect((await submit(started, '1a')).status).toBe(202);
  expect((await submit(started, '1b')).status).toBe(202);
  expect(await listForms(started)).toBe(200);
  expect(denials).toEqual([]);
});

describe('a defect is named', () => {
  test('a missing table grant', async () => {
    const started = await start({
      role: 'IngestServerRole',
      action: 'dynamodb:PutItem',
      resource: '"Leads"',
      change: withoutResource('"Leads"'),
    });
    expect((await submit(started, '1a')).status).not.toBe(202);
    expect(denials).toEqual([name('IAM denies dynamodb:PutItem: the role of LeadIngest-dev-IngestServer')]);
    expect(denials).toEqual([name('lacks dynamodb:PutItem on arn:aws:dynamodb:')]);
    expect(denials).toEqual([expect.stringMatching(/Leads$/)]);
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

  test.each<[string, Partial<Defect>]>([
    ['without Decrypt', { change: withoutAction('kms:Decrypt') }],
    ['on another key', { change: (statement) => ({ ...statement, Resource: keyArn('AlarmKey') }) }],
    [
      'through another service',
      {
        change: (statement) => ({
          ...statement,
          Condition: { StringEquals: { 'kms:ViaService': 'sqs.us-east-1.amazonaws.com' } },
        }),
      },
    ],
  ])('a wrong KMS grant: %s', async (_, defect) => {
    const kms = { role: 'IngestWebhookRole', action: 'kms:Decrypt', resource: 'FormSecretsKey' };
    const started = await start({ ...kms, change: (statement) => statement, ...defect });
    expect((await submit(started, '1b')).status).not.toBe(202);
    expect(denials).toEqual([
      expect.stringMatching(/IngestWebhook.* lacks kms:Decrypt on .*FormSecretsKey$/),
    ]);
  });

  test('a condition that cannot be evaluated', async () => {
    const started = await start({
      role: 'IngestServerRole',
      action: 'dynamodb:PutItem',
      resource: '"Leads"',
      change: (statement) => ({ ...statement, Condition: { StringSounds: { 'dynamodb:Select': 'COUNT' } } }),
    });
    expect((await submit(started, '1a')).status).not.toBe(202);
    expect(denials).toEqual([name('the condition operator StringSounds is not supported')]);
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

const keyArn = (key: string) => `arn:aws:kms:us-east-1:000000000000:key/LeadIngest-dev-${key}`;
