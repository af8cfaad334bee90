import type { Resource, TemplateReader } from '../template.ts';
import type { Statement } from './evaluate.ts';

interface PolicyDocument {
  readonly Statement: Statement | readonly Statement[];
}

/** What the policies of AWS that this stack's roles use allow, by the end of their ARN. */
const AWS_MANAGED: Readonly<Record<string, readonly Statement[]>> = {
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

/** Every statement of a role: of its own policies, of those attached to it, and of managed ones. */
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

/** A statement of a policy that belongs to a resource: a bucket, a queue, a key. */
export interface ResourceStatement extends Statement {
  readonly Principal?: Principals;
  readonly NotPrincipal?: Principals;
}

/** The statements of a resource's policy that apply to a role. Those for AWS services do not. */
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
    // An Allow for the account only lets the account's own policies decide. A Deny for it applies to all its roles.
    return named.some(
      (it) => it === '*' || it === roleArn || (Effect === 'Deny' && everybodyInAccount.has(it)),
    );
  });
}

/** One action on one resource that a statement of a function's role allows: what can be removed by itself. */
export interface Grant {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  /** The statement that the grant comes from, reduced to it. */
  readonly statement: Statement;
}

/** Every combination of action and resource of the statements that allow something. */
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

/** One statement per value of the element. NotAction and NotResource name what is left out: they stay whole. */
function single(statement: Statement, element: 'Action' | 'Resource'): Statement[] {
  const { [element]: values } = statement;
  return values === undefined
    ? [statement]
    : [values].flat().map((value) => ({ ...statement, [element]: value }));
}

function nameOf(included: Statement['Action'], excluded: Statement['Action']): string {
  return included === undefined ? `everything but ${[excluded].flat().join(', ')}` : [included].flat().join();
}
