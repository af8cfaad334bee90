import type { AppClient } from 'cognito-local/lib/services/appClient.js';
import { USER_POOL_AWS_DEFAULTS } from 'cognito-local/lib/services/cognitoService.js';
import type { UserPool } from 'cognito-local/lib/services/userPoolService.js';
import type { Resource, TemplateReader } from '../template.ts';

/** The template's properties of a pool that cognito-local knows by the same name. */
const POOL_PROPERTIES = [
  'AccountRecoverySetting',
  'AdminCreateUserConfig',
  'AutoVerifiedAttributes',
  'MfaConfiguration',
  'Policies',
  'UserAttributeUpdateSettings',
  'UsernameAttributes',
  'UsernameConfiguration',
] as const;

const CLIENT_PROPERTIES = [
  'AccessTokenValidity',
  'EnableTokenRevocation',
  'ExplicitAuthFlows',
  'IdTokenValidity',
  'PreventUserExistenceErrors',
  'ReadAttributes',
  'RefreshTokenValidity',
  'TokenValidityUnits',
  'WriteAttributes',
] as const;

interface SchemaAttribute {
  readonly Name: string;
  readonly Mutable?: boolean;
  readonly AttributeDataType?: string;
}

/** The pool under the id that its Ref has: the same at each start. */
export function poolFromTemplate(resource: Resource, reader: TemplateReader): UserPool {
  const id = reader.ref(resource.logicalId);
  const now = new Date();
  return {
    ...USER_POOL_AWS_DEFAULTS,
    ...pick(resource, POOL_PROPERTIES),
    Id: id,
    Name: reader.name(resource.logicalId),
    SchemaAttributes: schema(resource.property<SchemaAttribute[]>('Schema') ?? []),
    CreationDate: now,
    LastModifiedDate: now,
  } as UserPool;
}

export function clientFromTemplate(resource: Resource, reader: TemplateReader): AppClient {
  const now = new Date();
  return {
    ...pick(resource, CLIENT_PROPERTIES),
    ClientId: reader.ref(resource.logicalId),
    ClientName: reader.name(resource.logicalId),
    UserPoolId: resource.required<string>('UserPoolId'),
    CreationDate: now,
    LastModifiedDate: now,
  } as AppClient;
}

/** Cognito's standard attributes, as the template has them; its own get the prefix `custom:`. */
function schema(given: readonly SchemaAttribute[]) {
  const standard: readonly SchemaAttribute[] = USER_POOL_AWS_DEFAULTS.SchemaAttributes ?? [];
  const isStandard = ({ Name }: SchemaAttribute) => standard.some((it) => it.Name === Name);
  return [
    ...standard.map((attribute) => ({ ...attribute, ...given.find((it) => it.Name === attribute.Name) })),
    ...given.filter((it) => !isStandard(it)).map((own) => ({ ...own, Name: `custom:${own.Name}` })),
  ];
}

function pick(resource: Resource, names: readonly string[]): Record<string, unknown> {
  const given = names.map((name) => [name, resource.property<unknown>(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
