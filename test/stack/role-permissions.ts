import type { Template } from 'aws-cdk-lib/assertions';
import { asText, ownFunctions, withoutHash } from './synthesize.ts';

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

export const many = <Item>(items: Item | Item[]): Item[] => (Array.isArray(items) ? items : [items]);

/** Every statement of a role, inline or in a separate policy. */
export function statementsOf(template: Template, roleId: string): Statement[] {
  const role = template.findResources('AWS::IAM::Role')[roleId]?.Properties;
  const beside = Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some((it: { Ref: string }) => it.Ref === roleId));
  return [...(role.Policies ?? []), ...beside].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** Statements as lines of `resource: actions`, one per resource. */
export function permissionsOf(template: Template, roleId: string): string[] {
  const actions = new Map<string, string[]>();
  for (const statement of statementsOf(template, roleId)) {
    for (const resource of many(statement.Resource).map(nameOf)) {
      actions.set(resource, [...(actions.get(resource) ?? []), ...many(statement.Action)]);
    }
  }
  return [...actions].map(([resource, its]) => `${resource}: ${its.sort().join(' ')}`).sort();
}

/** `${IngestServerLogsA5F8FEB6.Arn}` is `IngestServerLogs`. What is no plain ARN, `…/index/*` say, stays as it is. */
export function nameOf(resource: unknown): string {
  const text = asText(resource);
  const plain = /^\$\{(\w+)\.Arn\}$/.exec(text)?.[1];
  return plain === undefined ? text : withoutHash(plain);
}

interface FunctionRole {
  /** Without `Function`: `IngestServer`. */
  readonly name: string;
  readonly roleId: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The functions of this service with their roles and environment variables. */
export function rolesOfFunctions(template: Template): FunctionRole[] {
  return Object.entries(ownFunctions(template)).map(([id, { Properties }]) => ({
    name: withoutHash(id).replace(/Function$/, ''),
    roleId: Properties.Role['Fn::GetAtt'][0],
    variables: Properties.Environment?.Variables ?? {},
  }));
}
