import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BOOTSTRAP } from '../../bin/leadctl/doctor/account.ts';
import type { CheckResult, Finding } from '../../bin/leadctl/doctor/check.ts';
import { roundTrip } from '../../bin/leadctl/doctor/round-trip.ts';
import { KNOWN_KEYS } from '../../bin/leadctl/doctor/settings.ts';
import { openStack } from '../../bin/operator/open-stack.ts';
import { type PrintedCommand, printedCommand } from '../../bin/operator/terminal.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import { EVERY_SETTING, synthesize, synthesizeWhole } from '../stack/synthesize.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { outputsWith } from './own-engines.ts';
import { onTestStack, type Run, resultOf, runLeadctl, testOutputsFile } from './run-leadctl.ts';

const stack = {
  ...openStack(testOutputsFile()),
  command: (...words: Parameters<PrintedCommand>) => `npx --no-install leadctl ${printedCommand(...words)}`,
};
const folder = temporaryFolder('leadctl doctor');
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  stack.client.destroy();
  stack.queueClient.destroy();
});

type Respond = (request: Request) => Promise<readonly [status: number, body: string]>;

/** What stands in for the ingest endpoints: the address to which a lead is sent. */
async function startIngest(respond: Respond): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const headers = { authorization, 'content-type': type };
    const url = `${stack.outputs.ingestUrl}${request.url}`;
    const [status, text] = await respond(new Request(url, { method: 'POST', headers, body }));
    response.writeHead(status, { connection: 'close' }).end(text);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const WRONG: readonly (readonly [found: RegExp, respond: Respond])[] = [
  [/^a valid lead was rejected$/, async () => [200, '{"status":"rejected"}']],
  [/did not accept a valid lead \(status 503\)$/, async () => [503, '']],
  [/not in the leads table/, async () => [202, JSON.stringify({ submission_id: randomUUID() })]],
  [
    /^an unknown token got status 401 instead of 200$/,
    async (request) => {
      const response = await fetch(request);
      return response.status === 202 ? [202, await response.text()] : [401, ''];
    },
  ],
];

async function tryWrong([, respond]: (typeof WRONG)[number]): Promise<Finding> {
  const outputs = { ...stack.outputs, ingestUrl: await startIngest(respond) };
  return roundTrip({ ...stack, outputs }, new AbortController().signal);
}

async function runBroken(): Promise<Run> {
  const ingestUrl = await startIngest(async () => [500, '']);
  const file = outputsWith({ [OUTPUTS.ingestUrl]: ingestUrl }, folder);
  return runLeadctl(['doctor', '--outputs', file]);
}

let good: Run;
let broken: Run;
let wrong: readonly Finding[];
let interruption: unknown;

// At the same time: removing a workspace takes ten seconds.
beforeAll(async () => {
  [good, broken, interruption, wrong] = await Promise.all([
    onTestStack(['doctor', '--json']),
    runBroken(),
    roundTrip(stack, AbortSignal.abort()).catch((error: unknown) => error),
    Promise.all(WRONG.map(tryWrong)),
  ]);
});

test('on a local stack it checks the queues and makes a round trip', () => {
  const results = JSON.parse(good.stdout) as CheckResult[];
  expect(results.at(-1)).toMatchObject({
    name: 'round trip',
    status: 'ok',
    found: expect.stringMatching(/^accepted and stored in \d+ ms; an unknown token is rejected$/),
  });
  expect(results.filter(({ found }) => found === 'not on a local stack')).toHaveLength(8);
  expect(results[0]).toMatchObject({ name: 'version', status: 'ok' });
  expect(results.map(({ name }) => name).slice(9)).toEqual([
    'enrichment queue',
    'dead letters',
    'sending queue',
    'index queue',
    'sending dead letters',
    'round trip',
  ]);
  // Other tests share the queues.
  expect(good.exitCode).toBe(results.some(({ status }) => status === 'fail') ? 1 : 0);
});

test('a round trip that fails says why, and exits 1', () => {
  expect(broken).toMatchObject({ exitCode: 1, stderr: '' });
  expect(broken.stdout).toMatch(/^skip {2}aliases {15}not on a local stack$/m);
  expect(broken.stdout).toMatch(/^FAIL {2}round trip .* did not accept a valid lead \(status 500\)\. Check/m);
  expect(broken.stdout).toMatch(/^\d failed, 0 warnings\.\n$/m);
  for (const [index, finding] of wrong.entries()) {
    expect(finding).toMatchObject({ status: 'fail', todo: expect.any(String) });
    expect(finding.found).toMatch(WRONG[index]?.[0] ?? '');
  }
});

test('no round trip leaves anything behind, not even an interrupted one', async () => {
  expect(interruption).toMatchObject({ name: 'AbortError' });
  const all = await resultOf<{ name: string }[]>(['workspace', 'list']);
  expect(all.filter(({ name }) => name === 'leadctl doctor')).toEqual([]);
});

test('accepts every setting that cdk deploy accepts, and no other', () => {
  expect([...KNOWN_KEYS].sort()).toEqual(Object.keys(SETTINGS_SCHEMA).sort());
});

test('requires the bootstrap version that the template requires', () => {
  const { Parameters, Rules } = synthesize('prod').toJSON();
  expect(Parameters.BootstrapVersion.Default).toBe(BOOTSTRAP.parameter);
  expect(JSON.stringify(Rules)).toContain(`CDK bootstrap stack version ${BOOTSTRAP.version} required`);
});

/** With fixed names that AWS accepts twice, or that belong to something that the stack also creates. */
const CANNOT_COLLIDE = [
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Stage',
  // Deleted with the stack in every stage, under a name that CDK generates.
  'AWS::CloudFront::Function',
  'AWS::Events::EventBus',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::IAM::Policy',
  'AWS::Lambda::Alias',
];

test('every kind of resource with a fixed name is looked for, except the web ACL', () => {
  const { Resources } = synthesizeWhole('prod', EVERY_SETTING).toJSON() as {
    Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
  };
  // With the region in it, a name is still the same for every deployment to that region.
  const references = /"(Ref|Fn::GetAtt|Fn::Select)":(?!"AWS::Region")/;
  const isFixed = (value: unknown) => !references.test(JSON.stringify(value));
  const fixed = Object.values(Resources).filter(({ Properties = {} }) =>
    Object.entries(Properties).some(([key, value]) => /^\w*Name$/.test(key) && isFixed(value)),
  );
  const types = [...new Set(fixed.map(({ Type }) => Type))].filter((type) => !CANNOT_COLLIDE.includes(type));
  expect(types.sort()).toEqual([
    'AWS::ApiGateway::DomainName',
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::Route53::RecordSet',
    'AWS::SNS::Topic',
    'AWS::WAFv2::WebACL',
  ]);
});
