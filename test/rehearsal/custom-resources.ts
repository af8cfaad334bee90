import { roleOfFunction, roleStatements } from '../../local/iam/policies.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../../local/local-account.ts';
import type { Assembly } from '../../local/synthesize.ts';
import { type Resource, type Template, TemplateReader } from '../../local/template.ts';
import type { Caller } from './stand-in/account.ts';

/** One state of the stack: what a deployment brings it to. */
export type Version = Pick<Assembly, 'stackName' | 'template' | 'assetFolder'>;

export type Properties = Readonly<Record<string, unknown>>;

/** The function behind a custom resource. */
export interface Provider {
  readonly folder: string;
  readonly handler: string;
  readonly runtime: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly logStreamArn: string;
}

export interface CustomResource {
  readonly logicalId: string;
  readonly type: string;
  /** As the handler gets them. */
  readonly properties: Properties;
  readonly provider: Provider;
  readonly isRetained: boolean;
}

export function readerOf({ template, stackName }: Version): TemplateReader {
  return new TemplateReader(template, stackName);
}

/** The custom resources of a version, each after those that it depends on. */
export function customResources(version: Version): CustomResource[] {
  const reader = readerOf(version);
  const { Resources } = version.template;
  const types = [...new Set(Object.values(Resources).map(({ Type }) => Type))].filter(isCustom);
  const found = new Map(reader.resources(...types).map((resource) => [resource.logicalId, resource]));
  return inOrder(version.template)
    .flatMap((logicalId) => found.get(logicalId) ?? [])
    .map((resource) => {
      const { Properties = {}, DeletionPolicy } = Resources[resource.logicalId] ?? {};
      const given = Object.keys(Properties).map((name) => [name, resource.property(name)] as const);
      return {
        logicalId: resource.logicalId,
        type: resource.type,
        properties: asSent(
          Object.fromEntries(given.filter(([, value]) => value !== undefined)),
        ) as Properties,
        provider: findProvider(version, reader, resource),
        isRetained: DeletionPolicy?.startsWith('Retain') ?? false,
      };
    });
}

function isCustom(type: string): boolean {
  return type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource';
}

/** CloudFormation hands every boolean and every number over as text: `false` becomes `"false"`. */
export function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asSent(item)]));
  }
  return String(value);
}

function inOrder({ Resources }: Template): string[] {
  const ordered = new Set<string>();
  const add = (logicalId: string) => {
    if (ordered.has(logicalId)) return;
    for (const before of [Resources[logicalId]?.DependsOn ?? []].flat()) add(before);
    ordered.add(logicalId);
  };
  for (const logicalId of Object.keys(Resources)) add(logicalId);
  return [...ordered];
}

function findProvider(version: Version, reader: TemplateReader, resource: Resource): Provider {
  const token = resource.required<string>('ServiceToken');
  const fn = reader
    .resources('AWS::Lambda::Function')
    .find(({ logicalId }) => reader.arn(logicalId) === token);
  if (fn === undefined) throw new Error(`${resource.logicalId}: no function of the template is ${token}`);
  const role = roleOfFunction(reader, fn);
  const logGroup =
    fn.property<{ LogGroup?: string }>('LoggingConfig')?.LogGroup ??
    `/aws/lambda/${reader.name(fn.logicalId)}`;
  return {
    folder: version.assetFolder(fn.required<{ S3Key: string }>('Code').S3Key),
    handler: fn.required('Handler'),
    runtime: fn.required('Runtime'),
    environment: fn.property<{ Variables?: Record<string, string> }>('Environment')?.Variables ?? {},
    caller: { roleArn: reader.arn(role.logicalId), statements: roleStatements(reader, role) },
    logStreamArn: `arn:aws:logs:${LOCAL_REGION}:${LOCAL_ACCOUNT}:log-group:${logGroup}:log-stream:rehearsal`,
  };
}
