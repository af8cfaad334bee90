import { createHash } from 'node:crypto';
import { NO_VALUE, resolve, type Scope } from './intrinsics.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './local-account.ts';

/** The parts of a CloudFormation template that are read here. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown; readonly Condition?: string }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Type?: string; readonly Default?: unknown }>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Mappings?: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
}

/** The property that holds a resource's name, if the template gives one. */
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Stage': 'StageName',
  'AWS::ApiGatewayV2::Stage': 'StageName',
  'AWS::Cognito::UserPool': 'UserPoolName',
  'AWS::Cognito::UserPoolClient': 'ClientName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SES::ConfigurationSet': 'Name',
  'AWS::SQS::Queue': 'QueueName',
};

const ARNS: Readonly<Record<string, (name: string) => string>> = {
  'AWS::Cognito::UserPool': (id) => regionalArn('cognito-idp', `userpool/${id}`),
  'AWS::DynamoDB::GlobalTable': (name) => regionalArn('dynamodb', `table/${name}`),
  'AWS::DynamoDB::Table': (name) => regionalArn('dynamodb', `table/${name}`),
  'AWS::Events::EventBus': (name) => regionalArn('events', `event-bus/${name}`),
  'AWS::Events::Rule': (name) => regionalArn('events', `rule/${name}`),
  'AWS::IAM::ManagedPolicy': (name) => `arn:aws:iam::${LOCAL_ACCOUNT}:policy/${name}`,
  'AWS::IAM::Role': (name) => `arn:aws:iam::${LOCAL_ACCOUNT}:role/${name}`,
  'AWS::KMS::Key': (name) => regionalArn('kms', `key/${name}`),
  'AWS::Lambda::Function': (name) => regionalArn('lambda', `function:${name}`),
  'AWS::Logs::LogGroup': (name) => regionalArn('logs', `log-group:${name}:*`),
  'AWS::S3::Bucket': (name) => `arn:aws:s3:::${name}`,
  'AWS::SQS::Queue': (name) => regionalArn('sqs', name),
};

/** A resource of the template. Properties are resolved on access, so that unsupported ones do no harm. */
export class Resource {
  readonly logicalId: string;
  readonly type: string;
  readonly #properties: Readonly<Record<string, unknown>>;
  readonly #scope: Scope;

  constructor(logicalId: string, resource: TemplateResource, scope: Scope) {
    this.logicalId = logicalId;
    this.type = resource.Type;
    this.#properties = resource.Properties ?? {};
    this.#scope = scope;
  }

  property<Value>(name: string): Value | undefined {
    const value = resolve(this.#properties[name], this.#scope);
    return value === NO_VALUE ? undefined : (value as Value);
  }

  required<Value>(name: string): Value {
    const value = this.property<Value>(name);
    if (value === undefined) throw new Error(`${this.logicalId} (${this.type}) has no ${name}`);
    return value;
  }
}

/** Reads a template as CloudFormation would, for a stack in the local account. */
export class TemplateReader implements Scope {
  readonly #template: Template;
  readonly #stackName: string;
  readonly #pseudoParameters: Readonly<Record<string, unknown>>;
  readonly #attributes = new Map<string, string>();

  constructor(template: Template, stackName: string) {
    this.#template = template;
    this.#stackName = stackName;
    this.#pseudoParameters = {
      'AWS::AccountId': LOCAL_ACCOUNT,
      'AWS::NoValue': NO_VALUE,
      'AWS::NotificationARNs': [],
      'AWS::Partition': 'aws',
      'AWS::Region': LOCAL_REGION,
      'AWS::StackId': regionalArn('cloudformation', `stack/${stackName}/local`),
      'AWS::StackName': stackName,
      'AWS::URLSuffix': 'amazonaws.com',
    };
  }

  /** The resources of these types whose conditions hold. */
  resources(...types: readonly string[]): Resource[] {
    return Object.entries(this.#template.Resources)
      .filter(([, { Type, Condition }]) => types.includes(Type) && (!Condition || this.condition(Condition)))
      .map(([logicalId, resource]) => new Resource(logicalId, resource, this));
  }

  /** The outputs that can be resolved locally. `onUnknown` is called for the others. */
  outputs(onUnknown: (name: string, error: Error) => void): Record<string, string> {
    const outputs: Record<string, string> = {};
    for (const [name, { Value, Condition }] of Object.entries(this.#template.Outputs ?? {})) {
      if (Condition !== undefined && !this.condition(Condition)) continue;
      try {
        outputs[name] = String(resolve(Value, this));
      } catch (error) {
        onUnknown(name, error as Error);
      }
    }
    return outputs;
  }

  /** Sets what only a running engine knows: the value of `Ref` or of an attribute. */
  setAttribute(logicalId: string, attribute: string, value: string): void {
    this.#attributes.set(`${logicalId}.${attribute}`, value);
  }

  reference(name: string): unknown {
    if (Object.hasOwn(this.#pseudoParameters, name)) return this.#pseudoParameters[name];
    if (Object.hasOwn(this.#template.Parameters ?? {}, name))
      return this.#template.Parameters?.[name]?.Default;
    return this.ref(name);
  }

  /** The value of `Ref`. It is the same at each start, since kept data is named by it. */
  ref(logicalId: string): string {
    const resource = this.#find(logicalId);
    switch (resource.type) {
      case 'AWS::ApiGateway::RestApi':
      case 'AWS::ApiGatewayV2::Api':
        return madeId(this.#stackName, logicalId, 10);
      case 'AWS::Cognito::UserPool':
        return `${LOCAL_REGION}_${madeId(this.#stackName, logicalId, 9)}`;
      case 'AWS::Cognito::UserPoolClient':
        return madeId(this.#stackName, logicalId, 26);
      case 'AWS::IAM::ManagedPolicy':
        return this.arn(logicalId);
      case 'AWS::SQS::Queue':
        return this.#readAttribute(resource, 'Ref');
      case 'AWS::Lambda::Alias':
        return `${functionArn(resource)}:${resource.required('Name')}`;
      case 'AWS::Lambda::Version':
        return `${functionArn(resource)}:1`;
      default:
        return this.name(logicalId);
    }
  }

  /** A resource's name from the template, or one made from the stack's name and the logical id. */
  name(logicalId: string): string {
    const resource = this.#find(logicalId);
    const nameProperty = NAME_PROPERTIES[resource.type];
    const given = nameProperty === undefined ? undefined : resource.property<string>(nameProperty);
    const made = `${this.#stackName}-${logicalId}`;
    // A bucket's name is part of a host name.
    return given ?? (resource.type === 'AWS::S3::Bucket' ? made.toLowerCase() : made);
  }

  arn(logicalId: string): string {
    const { type } = this.#find(logicalId);
    const make = ARNS[type];
    if (make === undefined) throw new Error(`the ARN of ${logicalId} (${type}) is not known on this machine`);
    // A pool is identified by its id, not by its name.
    return make(type === 'AWS::Cognito::UserPool' ? this.ref(logicalId) : this.name(logicalId));
  }

  attribute(logicalId: string, attribute: string): string {
    const resource = this.#find(logicalId);
    if (attribute === 'Arn') return this.arn(logicalId);
    if (attribute === 'QueueName' && resource.type === 'AWS::SQS::Queue') return this.name(logicalId);
    if (attribute === 'RootResourceId' && resource.type === 'AWS::ApiGateway::RestApi')
      return rootId(this.ref(logicalId));
    return this.#readAttribute(resource, attribute);
  }

  condition(name: string): boolean {
    return resolve(this.#template.Conditions?.[name], this) === true;
  }

  mapping(map: string, first: string, second: string): unknown {
    return this.#template.Mappings?.[map]?.[first]?.[second];
  }

  #readAttribute({ logicalId, type }: Resource, attribute: string): string {
    const value = this.#attributes.get(`${logicalId}.${attribute}`);
    if (value === undefined)
      throw new Error(`${logicalId}.${attribute} (${type}) is not known on this machine`);
    return value;
  }

  #find(logicalId: string): Resource {
    const resources = this.#template.Resources;
    const resource = Object.hasOwn(resources, logicalId) ? resources[logicalId] : undefined;
    if (resource === undefined) throw new Error(`the template has no resource ${logicalId}`);
    return new Resource(logicalId, resource, this);
  }
}

/** The id of the resource `/` of a REST API. */
export function rootId(restApiId: string): string {
  return `${restApiId}-root`;
}

/** Aliases and versions refer to their function by name or ARN. */
function functionArn(resource: Resource): string {
  const name = resource.required<string>('FunctionName');
  return name.startsWith('arn:') ? name : regionalArn('lambda', `function:${name}`);
}

function regionalArn(service: string, resource: string): string {
  return `arn:aws:${service}:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${resource}`;
}

/** Lower-case letters and digits, like the ids of API Gateway and Cognito. */
function madeId(stackName: string, logicalId: string, length: number): string {
  const digest = createHash('sha256').update(`${stackName}/${logicalId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, length);
}
