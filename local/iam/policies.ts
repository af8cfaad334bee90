import type { Resource, TemplateReader } from '../template.ts';
import type { Statement } from './evaluate.ts';

interface PolicyDocument {
  readonly Statement: Statement | readonly Statement[];
}

/**
 * The statements of AWS's managed policies that this stack uses, by the end of their ARN.
 * https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html
 */
const AWS_MANAGED: Readonly<Record<string, readonly Statement[]>> = {
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs': [
    {
      Effect: 'Allow',
      Action: [
        'logs:CreateLogGroup',
        'logs:CreateLogStream',
        'logs:DescribeLogGroups',
        'logs:DescribeLogStreams',
        'logs:PutLogEvents',
        'logs:GetLogEvents',
        'logs:FilterLogEvents',
      ],
      Resource: '*',
    },
  ],
  'service-role/AWSCodeDeployRoleForLambdaLimited': [
    {
      Effect: 'Allow',
      Action: [
        'cloudwatch:DescribeAlarms',
        'lambda:UpdateAlias',
        'lambda:GetAlias',
        'lambda:GetProvisionedConcurrencyConfig',
      ],
      Resource: '*',
    },
    {
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:GetObjectVersion'],
      Resource: 'arn:aws:s3:::*/CodeDeploy/*',
    },
    {
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:GetObjectVersion'],
      Resource: '*',
      Condition: { StringEquals: { 's3:ExistingObjectTag/UseWithCodeDeploy': 'true' } },
    },
    {
      Effect: 'Allow',
      Action: 'lambda:InvokeFunction',
      Resource: 'arn:aws:lambda:*:*:function:CodeDeployHook_*',
    },
  ],
  'service-role/AWSLambdaBasicExecutionRole': [
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: '*',
    },
  ],
};

/** The role that a function runs as. */
export function roleOfFunction(reader: TemplateReader, fn: Resource): Resource {
  const arn = fn.required<string>('Role');
  const role = reader.resources('AWS::IAM::Role').find(({ logicalId }) => reader.arn(logicalId) === arn);
  if (role === undefined) throw new Error(`the role of ${fn.logicalId} is not in the template: ${arn}`);
  return role;
}

/** Every statement of a role: from inline, attached and managed policies. */
export function roleStatements(reader: TemplateReader, role: Resource): Statement[] {
  if (role.property('PermissionsBoundary') !== undefined) {
    throw new Error(`${role.logicalId} has a permissions boundary, which is not evaluated here`);
  }
  const name = reader.name(role.logicalId);
  const attached = reader
    .resources('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')
    .filter((policy) => policy.property<string[]>('Roles')?.includes(name));
  const own = role.property<{ PolicyDocument: PolicyDocument }[]>('Policies') ?? [];
  return [
    ...own.flatMap(({ PolicyDocument }) => statementsIn(PolicyDocument)),
    ...attached.flatMap((policy) => statementsIn(policy.required('PolicyDocument'))),
    ...(role.property<string[]>('ManagedPolicyArns') ?? []).flatMap((arn) => managedStatements(reader, arn)),
  ];
}

function managedStatements(reader: TemplateReader, arn: string): readonly Statement[] {
  const own = reader
    .resources('AWS::IAM::ManagedPolicy')
    .find(({ logicalId }) => reader.ref(logicalId) === arn);
  if (own !== undefined) return statementsIn(own.required('PolicyDocument'));
  const known = AWS_MANAGED[arn.split(':policy/')[1] ?? ''];
  if (known === undefined) throw new Error(`what the managed policy ${arn} allows is not known`);
  return known;
}

function statementsIn({ Statement }: PolicyDocument): readonly Statement[] {
  return [Statement].flat();
}

type Principals = string | Readonly<Record<string, string | readonly string[]>>;

/** A statement of the policy of a resource: a bucket, a queue or a key. */
export interface ResourceStatement extends Statement {
  readonly Principal?: Principals;
  readonly NotPrincipal?: Principals;
}

/** The statements of a resource's policy that apply to a role, not those for AWS services. */
export function statementsForRole(statements: readonly ResourceStatement[], roleArn: string): Statement[] {
  const [, , , , account] = roleArn.split(':');
  const everybodyInAccount = new Set([account, `arn:aws:iam::${account}:root`]);
  return statements.filter(({ Principal, NotPrincipal, Effect }) => {
    if (NotPrincipal !== undefined || Principal === undefined) {
      throw new Error(
        'a statement of a resource policy needs a Principal, and NotPrincipal is not supported',
      );
    }
    const named = typeof Principal === 'string' ? [Principal] : [Principal.AWS ?? []].flat();
    // An Allow for the account only delegates to the account's policies. A Deny applies to all its roles.
    return named.some(
      (it) => it === '*' || it === roleArn || (Effect === 'Deny' && everybodyInAccount.has(it)),
    );
  });
}

/** One action on one resource that a function's role allows: the smallest unit that can be removed. */
export interface Grant {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  /** The statement that the grant comes from, reduced to it. */
  readonly statement: Statement;
}

/** Every combination of action and resource that the statements allow. */
export function grantsOf(functionName: string, statements: readonly Statement[]): Grant[] {
  return statements
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap((statement) =>
      single(statement, 'Action').flatMap((withAction) =>
        single(withAction, 'Resource').map((reduced) => ({
          functionName,
          action: nameOf(reduced.Action, reduced.NotAction),
          resource: nameOf(reduced.Resource, reduced.NotResource),
          statement: reduced,
        })),
      ),
    );
}

/** One statement per value of the element. NotAction and NotResource can't be split. */
function single(statement: Statement, element: 'Action' | 'Resource'): Statement[] {
  const { [element]: values } = statement;
  return values === undefined
    ? [statement]
    : [values].flat().map((value) => ({ ...statement, [element]: value }));
}

function nameOf(included: Statement['Action'], excluded: Statement['Action']): string {
  return included === undefined ? `everything but ${[excluded].flat().join(', ')}` : [included].flat().join();
}
