import type { Resource, Resources } from './normalize.ts';

/** One action on one resource, which is written as text. */
export interface Grant {
  readonly action: string;
  readonly resource: string;
  /** Conditions of the statement, as JSON. */
  readonly condition: string;
}

interface Statement {
  readonly Effect?: string;
  readonly Action?: string | readonly string[];
  readonly Resource?: unknown;
  readonly Condition?: unknown;
}

export function functionsOf(resources: Resources): string[] {
  return Object.keys(resources).filter((id) => resources[id]?.Type === 'AWS::Lambda::Function');
}

/** What a function may do: the policies in its role and those attached to it. */
export function grantsOf(lambda: Resource, resources: Resources): Grant[] {
  const role = logicalIdOf(lambda.Properties.Role);
  const inline = (resources[role]?.Properties.Policies ?? []) as readonly { PolicyDocument: unknown }[];
  const attached = Object.values(resources).filter(
    ({ Type, Properties }) =>
      /^AWS::IAM::(Managed)?Policy$/.test(Type) &&
      ((Properties.Roles ?? []) as readonly unknown[]).some((each) => logicalIdOf(each) === role),
  );
  const documents = [...inline, ...attached.map(({ Properties }) => Properties)];
  return documents.flatMap(({ PolicyDocument }) =>
    ((PolicyDocument as { Statement?: readonly Statement[] }).Statement ?? []).flatMap(grantsIn),
  );
}

export function grantedResources(lambda: Resource, resources: Resources): string[] {
  return grantsOf(lambda, resources).map(({ resource }) => resource);
}

function grantsIn({ Effect, Action, Resource: on, Condition = {} }: Statement): Grant[] {
  if (Effect !== 'Allow') return [];
  const condition = JSON.stringify(Condition);
  return asList(Action).flatMap((action) =>
    asList(on).map((resource) => ({ action: String(action), resource: textOf(resource), condition })),
  );
}

/** Whether one of the grants allows as much, perhaps with a wildcard. */
export function isCovered(grant: Grant, grants: readonly Grant[]): boolean {
  return grants.some(
    (each) =>
      each.condition === grant.condition &&
      matches(each.action, grant.action) &&
      matches(each.resource, grant.resource),
  );
}

function matches(pattern: string, text: string): boolean {
  if (pattern === text) return true;
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function logicalIdOf(value: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = (value ?? {}) as { Ref?: string; 'Fn::GetAtt'?: string[] };
  return Ref ?? attribute?.[0] ?? '';
}

/** `{Leads.Arn}/index/byForm`: what a template refers to is in braces. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const intrinsic = (value ?? {}) as Record<string, unknown>;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = intrinsic;
  if (typeof Ref === 'string') return `{${Ref}}`;
  if (Array.isArray(attribute)) return `{${attribute.join('.')}}`;
  if (Array.isArray(join)) return join[1].map(textOf).join(join[0]);
  return JSON.stringify(value);
}
