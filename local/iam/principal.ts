import { unqualified } from '../functions.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../local-account.ts';
import type { TemplateReader } from '../template.ts';
import { type Call, evaluate, type Statement } from './evaluate.ts';
import {
  type Grant,
  grantsOf,
  type ResourceStatement,
  roleOfFunction,
  roleStatements,
  statementsForRole,
} from './policies.ts';
import type { Resources } from './resources.ts';

/** Whether a call is allowed, and if so by which grants of the role: any one of them is enough. */
export interface Verdict {
  readonly allowed: boolean;
  readonly grants: readonly Grant[];
  /** True if the resource's own policy allows the call, whatever the role's policies say. */
  readonly byResource: boolean;
  /** Why it is denied, as AWS puts it. */
  readonly reason: string;
}

/** A function as IAM sees it: its role. */
export interface Principal {
  readonly functionName: string;
  /** Names the role in the signature of a request. DynamoDB Local takes letters and digits only. */
  readonly accessKeyId: string;
  readonly roleName: string;
  readonly grants: readonly Grant[];
  /** Whether a statement of the role has a condition on this key. */
  hasConditionOn(conditionKey: string): boolean;
  judge(call: Call): Verdict;
}

const ROOT = `arn:aws:iam::${LOCAL_ACCOUNT}:root`;

export function readPrincipal(functionArn: string, reader: TemplateReader, resources: Resources): Principal {
  const fn = reader
    .resources('AWS::Lambda::Function')
    .find(({ logicalId }) => reader.arn(logicalId) === unqualified(functionArn));
  if (fn === undefined) throw new Error(`the template has no function ${functionArn}`);
  const role = roleOfFunction(reader, fn);
  const functionName = reader.ref(fn.logicalId);
  const statements = roleStatements(reader, role);
  const grants = grantsOf(functionName, statements);
  const conditionKeys = new Set(
    statements.flatMap(({ Condition = {} }) =>
      Object.values(Condition).flatMap((keys) => Object.keys(keys).map((key) => key.toLowerCase())),
    ),
  );
  const judge = makeJudge(reader.arn(role.logicalId), statements, grants, resources);
  const known = new Map<string, Verdict>();
  return {
    functionName,
    accessKeyId: role.logicalId,
    roleName: reader.name(role.logicalId),
    grants,
    hasConditionOn: (key) => conditionKeys.has(key.toLowerCase()),
    judge(call) {
      // Of key values there is no end.
      if (call.context?.['dynamodb:LeadingKeys'] !== undefined) return judge(call);
      const id = `${call.action} ${call.resource} ${JSON.stringify(call.context)}`;
      const verdict = known.get(id) ?? judge(call);
      known.set(id, verdict);
      return verdict;
    },
  };
}

function makeJudge(
  roleArn: string,
  statements: readonly Statement[],
  grants: readonly Grant[],
  { policies }: Resources,
) {
  const denials = statements.filter(({ Effect }) => Effect !== 'Allow');
  const globalContext = {
    // Functions use TLS on AWS.
    'aws:SecureTransport': 'true',
    'aws:PrincipalArn': roleArn,
    'aws:PrincipalAccount': LOCAL_ACCOUNT,
    'aws:RequestedRegion': LOCAL_REGION,
  };

  return ({ action, resource, context }: Call): Verdict => {
    const call = { action, resource, context: { ...globalContext, ...context } };
    const policy = policies.get(resource) ?? [];
    const forRole = statementsForRole(policy, roleArn);
    const denied = [denials, forRole.filter(({ Effect }) => Effect === 'Deny')].some(
      (list) => evaluate(list, call).statement !== undefined,
    );
    const byResource = evaluate(forRole, call).allowed;
    // A key's policy decides whether policies of the account count at all.
    const counts = !action.startsWith('kms:') || allowsAccount(policy, call);
    const matching = counts ? grants.filter(({ statement }) => evaluate([statement], call).allowed) : [];
    return {
      allowed: !denied && (byResource || matching.length > 0),
      grants: matching,
      byResource,
      reason: denied
        ? 'with an explicit deny'
        : `because no ${counts ? 'identity' : 'resource'}-based policy allows the ${action} action`,
    };
  };
}

function allowsAccount(policy: readonly ResourceStatement[], call: Call): boolean {
  return evaluate(statementsForRole(policy, ROOT), call).allowed;
}
