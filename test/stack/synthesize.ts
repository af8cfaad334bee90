import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Template } from 'aws-cdk-lib/assertions';
import { makeUncheckedApp } from '../../lib/lead-ingest-app.ts';
import type { StageName } from '../../lib/stage.ts';

type Context = Record<string, unknown>;

/** A temporary folder for CDK's output, deleted after `use`. */
export function withAssembly<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'lead-ingest-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The template of the stack, and that of the stack in it for alarms and dashboard, if there is one. */
interface Templates {
  readonly terminationProtection: boolean | undefined;
  readonly main: Template;
  readonly nested: Template | undefined;
}

const synthesized = new Map<string, Templates>();

/**
 * The templates of a stage, made once per run for each set of settings. No code is bundled and nothing validated:
 * builds.full.test.ts does that.
 */
export function synthesizeBoth(stage: StageName, context: Context = {}): Templates {
  const key = JSON.stringify([stage, context]);
  const templates = synthesized.get(key) ?? sharedByWorkers(key, () => make(stage, context));
  synthesized.set(key, templates);
  return templates;
}

/** One worker makes them, and the others read them from the folder of the run, which test/jest/start-stack.js makes. */
function sharedByWorkers(key: string, makeOnce: () => Templates): Templates {
  const folder = process.env.LEAD_INGEST_TEMPLATES;
  if (folder === undefined) return makeOnce();
  const file = join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  if (existsSync(file)) {
    const { main, nested, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    return { ...rest, main: Template.fromJSON(main), nested: nested && Template.fromJSON(nested) };
  }
  const made = makeOnce();
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...made, main: made.main.toJSON(), nested: made.nested?.toJSON() }));
  renameSync(draft, file);
  return made;
}

/** The template of the stack itself. */
export function synthesize(stage: StageName, context: Context = {}): Template {
  return synthesizeBoth(stage, context).main;
}

/** Everything that is deployed, as if it were one stack: what the nested one gets as a parameter stands in its place. */
export function synthesizeWhole(stage: StageName, context: Context = {}): Template {
  const { main, nested } = synthesizeBoth(stage, context);
  if (!nested) return main;
  const [resource] = Object.values(main.findResources('AWS::CloudFormation::Stack'));
  const parameters: Context = resource?.Properties.Parameters;
  const json = main.toJSON();
  const moved = JSON.parse(JSON.stringify(nested.toJSON().Resources), (_key, value) =>
    Object.hasOwn(parameters, value?.Ref) ? parameters[value.Ref] : value,
  );
  return Template.fromJSON({ ...json, Resources: { ...json.Resources, ...moved } });
}

function make(stage: StageName, context: Context): Templates {
  return withAssembly((outdir) => {
    const app = makeUncheckedApp({
      outdir,
      context: { stage, 'aws:cdk:bundling-stacks': [], ...context },
      builtinCloudFormationValidation: false,
      stackTraces: false,
      treeMetadata: false,
    });
    const stack = app.synth().getStackByName(`LeadIngest-${stage}`);
    const main = Template.fromJSON(stack.template);
    const [nested, second] = nestedTemplatesIn(outdir);
    if (second) throw new Error('There is more than one nested stack');
    const { terminationProtection } = stack;
    return { terminationProtection, main, nested: nested && Template.fromJSON(nested) };
  });
}

/** CDK treats the template of a nested stack as an asset. */
export function nestedTemplatesIn(outdir: string): Record<string, unknown>[] {
  return readdirSync(outdir)
    .filter((file) => file.endsWith('.nested.template.json'))
    .map((file) => JSON.parse(readFileSync(join(outdir, file), 'utf8')));
}

/** `IngestServerRole7CB9F769` is `IngestServerRole`: CDK ends a logical id with a hash of its path. */
export function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

/** Functions that CDK adds: to fill a bucket, and to empty it before deletion. */
const OF_CDK = /^Custom(CDKBucketDeployment|S3AutoDeleteObjects)/;

/** The functions of this service, without CDK's own, by their logical ids. */
export function ownFunctions(template: Template): ReturnType<Template['findResources']> {
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  return Object.fromEntries(functions.filter(([id]) => !OF_CDK.test(id)));
}

/** The methods of the REST APIs: `POST`, `/api/v1/ingest`, the API, its stage and what it integrates. */
export function restMethodsOf(template: Template) {
  const resources = template.findResources('AWS::ApiGateway::Resource');
  const pathOf = (id: string): string => {
    const { ParentId, PathPart } = resources[id]?.Properties ?? {};
    return PathPart === undefined ? '' : `${pathOf(ParentId.Ref)}/${PathPart}`;
  };
  const stages = Object.entries(template.findResources('AWS::ApiGateway::Stage'));
  return Object.values(template.findResources('AWS::ApiGateway::Method')).map(({ Properties }) => {
    const { HttpMethod, ResourceId, RestApiId, Integration } = Properties;
    const [stageId] = stages.find(([, stage]) => stage.Properties.RestApiId.Ref === RestApiId.Ref) ?? [];
    return {
      method: HttpMethod as string,
      path: pathOf(ResourceId.Ref),
      apiId: RestApiId.Ref as string,
      stageId,
      integration: Integration,
    };
  });
}

/** The end of the stack's id, which is unique even if the stack is created again with the same name. */
const STACK_UUID = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };

/** An intrinsic as text: references as logical ids, joins joined, substitutions unchanged. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  const intrinsic = (value ?? {}) as Record<string, unknown>;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::Sub': template } = intrinsic;
  if (typeof Ref === 'string') return `\${${Ref}}`;
  if (Array.isArray(attribute)) return `\${${attribute.join('.')}}`;
  if (Array.isArray(join)) return join[1].map(asText).join(join[0]);
  if (typeof template === 'string') return template;
  if (isDeepStrictEqual(intrinsic, STACK_UUID)) return `\${STACK_UUID}`;
  throw new Error(`Not an intrinsic that this stack uses: ${JSON.stringify(value)}`);
}

/** A non-default value for every key of the schema, as far as they can be combined. */
export const EVERY_SETTING = {
  alarmEmail: 'operator@example.com',
  // Prod refuses to be without alarms, and has a dashboard by default.
  alarms: 'true',
  dashboard: 'true',
  ingestDomainName: 'leads.example.com',
  ingestCertificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0aa0',
  // A domain for the console requires the console. WITHOUT_CONSOLE covers the other case.
  console: 'true',
  consoleDomainName: 'console.example.com',
  consoleCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/0bb0',
  consoleFirewall: 'true',
  consoleRequestsPerMinuteByAddress: '6000',
  consoleWebAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/console/1234abcd-12ab',
  hostedZoneId: 'Z0123456789ABC',
  hostedZoneName: 'example.com',
  ingestFirewall: 'true',
  requestsPerMinuteByAddress: '60000',
  requestsPerMinuteByAddressAndPath: '8000',
  apiRequestsPerSecond: '2500',
  enrichmentProviderUrl: 'https://provider.example/v1',
  enrichmentProviderSecretArn: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:provider-AbCdEf',
  enrichmentProviderKeyArn: 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  // It excludes the concurrency settings. SMALL_ACCOUNT covers the other case.
  smallAccount: 'false',
  enrichmentConcurrency: '50',
  indexConcurrency: '30',
  dispatchConcurrency: '10',
  mailFrom: 'leads@example.com',
  sendingConcurrency: '20',
  slowLaneConcurrency: '5',
  eventBus: 'true',
  ownerThreatProtection: 'true',
  deployDespiteAlarms: 'true',
  manageApiGatewayAccount: 'false',
  tags: 'team=growth',
} as const;

/** Functions work in turn. */
export const SMALL_ACCOUNT = { smallAccount: 'true' } as const;

const { consoleDomainName, consoleCertificateArn, consoleWebAclArn, ...withoutConsoleDomain } = EVERY_SETTING;

/** The same without the console and its domain. The only domain left is that of the zone itself. */
export const WITHOUT_CONSOLE = {
  ...withoutConsoleDomain,
  console: 'false',
  hostedZoneName: EVERY_SETTING.ingestDomainName,
} as const;

/** In prod: without what can be switched off there. The provider's secret has the default key. */
export const LEAST = {
  ingestFirewall: 'false',
  consoleFirewall: 'false',
  dashboard: 'false',
  enrichmentProviderUrl: EVERY_SETTING.enrichmentProviderUrl,
  enrichmentProviderSecretArn: EVERY_SETTING.enrichmentProviderSecretArn,
} as const;

/** In dev: a dashboard without alarms, and a firewall of the console, which every setting replaces by an existing one. */
export const GRAPHS_AND_FIREWALL = {
  alarms: 'false',
  dashboard: 'true',
  consoleFirewall: 'true',
  consoleRequestsPerMinuteByAddress: '600',
} as const;
