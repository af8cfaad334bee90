import { diffTemplate, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { functionsOf, grantedResources, grantsOf, isCovered } from './grants.ts';
import type { Resource, Resources } from './normalize.ts';
import { changedIndexes, changedSchema, changedStream } from './shapes.ts';

/** A change that cannot be rolled back, or that breaks the code that is deployed. */
export interface Finding {
  /** Its name in the list of intended changes: the rule, the resource, and what of it. */
  readonly change: string;
  /** What would happen, and what to do. */
  readonly message: string;
}

/** Whether the deployed code of a function, known by its folder, contains a text. */
export type Contains = (folder: string, text: string) => boolean;

interface Comparison {
  readonly before: Resources;
  readonly after: Resources;
  readonly contains: Contains;
}

/** What they are, for a message. */
const KEPT: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'table',
  'AWS::DynamoDB::Table': 'table',
  'AWS::KMS::Key': 'key',
  'AWS::Cognito::UserPool': 'pool',
  'AWS::Cognito::UserPoolClient': 'client of the pool',
  'AWS::ApiGateway::RestApi': 'API',
  'AWS::ApiGatewayV2::Api': 'API',
  'AWS::CloudFront::Distribution': 'distribution',
  'AWS::S3::Bucket': 'bucket',
};
/** Set once and for all: AWS refuses another value, which the registry of resource types does not say. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'],
};
const QUEUE = 'AWS::SQS::Queue';
const LOG_GROUP = 'AWS::Logs::LogGroup';

/**
 * Everything that makes an update from one deployment to the other dangerous. In a gradual deployment the code of
 * `before` serves nine of ten requests for five minutes, with the tables, queues and roles of `after`.
 */
export function compare(before: Resources, after: Resources, contains: Contains = () => true): Finding[] {
  const comparison = { before, after, contains };
  const rules = [identities, replacements, indexes, grants, variables, schemas, streams];
  return rules.flatMap((rule) => rule(comparison));
}

/** Logical IDs that are gone or new. */
function identities({ before, after }: Comparison): Finding[] {
  const gone = Object.entries(before).filter(([id, { Type }]) => after[id]?.Type !== Type);
  const fresh = Object.entries(after).filter(([id, { Type }]) => before[id]?.Type !== Type);
  return [
    ...gone.flatMap(([id, { Type }]) => removed(id, Type, before)),
    ...fresh.flatMap(([id, { Type }]): Finding[] => {
      const what = KEPT[Type];
      if (what === undefined) return [];
      return [
        {
          change: `new ${id}`,
          message: `${id} is a new ${what}, which starts empty. If it replaces another one, give it that one's logical ID.`,
        },
      ];
    }),
  ];
}

function removed(id: string, type: string, before: Resources): Finding[] {
  const change = `removed ${id}`;
  const what = KEPT[type];
  if (what !== undefined) {
    const message = `The ${what} ${id} is gone: CloudFormation would delete it or leave it behind, and a rollback does not bring it back. Keep its logical ID.`;
    return [{ change, message }];
  }
  if (type === LOG_GROUP) {
    const message = `The log group ${id} is gone, or has another logical ID and therefore another name: searches and filters would not find older logs. Keep its logical ID.`;
    return [{ change, message }];
  }
  if (type !== QUEUE) return [];
  const users = functionsOf(before).filter((functionId) => refersTo(before[functionId], id, before));
  const message = `The queue ${id} is gone with its messages, and released code still uses it (${users.join(', ') || 'as a dead-letter queue'}). Keep it for one more release, then remove it.`;
  return [{ change, message }];
}

/** Through an environment variable or a grant. */
function refersTo(lambda: Resource | undefined, id: string, resources: Resources): boolean {
  const variables = JSON.stringify(lambda?.Properties.Environment ?? {});
  if (variables.includes(`"${id}"`)) return true;
  return lambda !== undefined && grantedResources(lambda, resources).some((text) => text.includes(`{${id}.`));
}

/** Properties that CloudFormation can only change by making a new resource. */
function replacements({ before, after }: Comparison): Finding[] {
  const { resources } = diffTemplate({ Resources: before }, { Resources: after });
  const replacing = new Set([ResourceImpact.WILL_REPLACE, ResourceImpact.MAY_REPLACE]);
  return Object.entries(resources.changes).flatMap(([id, { propertyUpdates }]) => {
    const type = before[id]?.Type;
    if (type === undefined || type !== after[id]?.Type) return [];
    const what = KEPT[type] ?? { [QUEUE]: 'queue', [LOG_GROUP]: 'log group' }[type];
    if (what === undefined) return [];
    const names = Object.keys(propertyUpdates).filter((name) => {
      const impact = propertyUpdates[name]?.changeImpact;
      return FIXED[type]?.includes(name) || (impact !== undefined && replacing.has(impact));
    });
    return names.map((name) => ({
      change: `replaced ${id} ${name}`,
      message: `Another ${name} needs another ${what} than ${id}: CloudFormation replaces it by an empty one, or fails. Undo it, or add another ${what} and move what is in the old one.`,
    }));
  });
}

function indexes({ before, after }: Comparison): Finding[] {
  return pairs(before, after).flatMap(([id, one, other]) => {
    const { added, removed: gone } = changedIndexes(one, other);
    const count = added.length + gone.length;
    const names = [...new Set([...added, ...gone])].join(', ');
    const tooMany: Finding[] =
      count < 2
        ? []
        : [
            {
              change: `indexes ${id}`,
              message: `${count} changes of indexes of ${id} (${names}): DynamoDB makes one per update, so the deployment would fail. Make one per release; a changed index is a removed and a new one, with another name.`,
            },
          ];
    const used = gone.flatMap((name): Finding[] => {
      const users = functionsOf(before).filter((functionId) =>
        grantedResources(before[functionId] as Resource, before).some((text) =>
          text.endsWith(`{${id}.Arn}/index/${name}`),
        ),
      );
      if (users.length === 0) return [];
      const message = `The index ${name} of ${id} is gone, and released code still reads it (${users.join(', ')}). Remove it one release after the code that reads it.`;
      return [{ change: `index ${id} ${name}`, message }];
    });
    return [...tooMany, ...used];
  });
}

/** Roles are shared by the old and the new code. */
function grants({ before, after }: Comparison): Finding[] {
  return functionsOf(before)
    .filter((id) => after[id] !== undefined)
    .flatMap((id) => {
      const now = grantsOf(after[id] as Resource, after);
      const lost = grantsOf(before[id] as Resource, before).filter((grant) => !isCovered(grant, now));
      return lost.map(({ action, resource }) => ({
        change: `grant ${id} ${action} ${resource}`,
        message: `${id} may no longer do ${action} on ${resource}, and its released code still does. Keep the grant for one more release.`,
      }));
    });
}

function variables({ before, after, contains }: Comparison): Finding[] {
  return functionsOf(before)
    .filter((id) => after[id] !== undefined)
    .flatMap((id) => {
      const folder = (before[id]?.Properties.Code as { S3Key?: string } | undefined)?.S3Key ?? '';
      const kept = variablesOf(after[id]);
      const lost = variablesOf(before[id]).filter((name) => !kept.includes(name) && contains(folder, name));
      return lost.map((name) => ({
        change: `variable ${id} ${name}`,
        message: `${id} no longer gets the environment variable ${name}, and its released code still reads it. Keep it for one more release.`,
      }));
    });
}

function variablesOf(lambda: Resource | undefined): string[] {
  const { Variables } = (lambda?.Properties.Environment ?? {}) as { Variables?: object };
  return Object.keys(Variables ?? {});
}

function schemas({ before, after }: Comparison): Finding[] {
  return pairs(before, after).flatMap(([id, one, other]) =>
    changedSchema(one, other).map((name) => ({
      change: `schema ${id} ${name}`,
      message: `The attribute ${name} of ${id} is new, gone or different. Cognito never removes or changes an attribute, so CloudFormation can neither update it nor roll back. Keep attributes as they are, and store new facts in a table.`,
    })),
  );
}

function streams({ before, after }: Comparison): Finding[] {
  return pairs(before, after).flatMap(([id, one, other]) => {
    const changed = changedStream(one, other);
    if (changed === undefined) return [];
    const message = `The stream of ${id} would change from ${changed.from} to ${changed.to}: that is a new stream, and what waits in the old one is lost. Keep its view.`;
    return [{ change: `stream ${id}`, message }];
  });
}

/** What is in both deployments. */
function pairs(before: Resources, after: Resources): [id: string, before: Resource, after: Resource][] {
  return Object.entries(before).flatMap(([id, one]) => {
    const other = after[id];
    return other?.Type === one.Type ? [[id, one, other]] : [];
  });
}
