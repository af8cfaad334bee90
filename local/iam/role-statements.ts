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
