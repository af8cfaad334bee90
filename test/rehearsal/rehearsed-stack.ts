import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ResourceStatement } from '../../local/iam/policies.ts';
import type { TemplateReader } from '../../local/template.ts';
import type { Rights } from '../docs/deployment-rights.ts';
import { type CustomResource, customResources, readerOf, type Version } from './custom-resources.ts';
import { type CustomResourceEvent, type Handlers, type Outcome, zip } from './handlers.ts';
import type { StandInAccount } from './stand-in/account.ts';

interface Encryption {
  readonly ServerSideEncryptionConfiguration: readonly {
    readonly ServerSideEncryptionByDefault?: { readonly KMSMasterKeyID?: string };
  }[];
}

/** Creates the buckets of a template, with their tags and policies. Those that exist keep their objects. */
function addBuckets({ buckets }: StandInAccount, reader: TemplateReader): void {
  const policies = new Map(
    reader
      .resources('AWS::S3::BucketPolicy')
      .map((policy) => [
        policy.required<string>('Bucket'),
        policy.required<{ Statement: ResourceStatement[] }>('PolicyDocument').Statement,
      ]),
  );
  for (const bucket of reader.resources('AWS::S3::Bucket')) {
    const name = reader.name(bucket.logicalId);
    const [rule] = bucket.property<Encryption>('BucketEncryption')?.ServerSideEncryptionConfiguration ?? [];
    buckets.set(name, {
      objects: buckets.get(name)?.objects ?? new Map(),
      tags: bucket.property('Tags') ?? [],
      keyArn: rule?.ServerSideEncryptionByDefault?.KMSMasterKeyID,
      policy: policies.get(name) ?? [],
    });
  }
}

/** Puts the assets that custom resources name where `cdk deploy` uploads them to. */
function uploadSources({ buckets }: StandInAccount, version: Version): void {
  for (const { properties } of customResources(version)) {
    const keys = (properties.SourceObjectKeys ?? []) as string[];
    const names = (properties.SourceBucketNames ?? []) as string[];
    for (const [index, key] of keys.entries()) {
      const name = names[index] ?? '';
      const staging = buckets.get(name) ?? { objects: new Map(), tags: [], keyArn: undefined, policy: [] };
      const contents = zip(version.assetFolder(key));
      staging.objects.set(key, { contents, cacheControl: undefined });
      buckets.set(name, staging);
    }
  }
}

const EXECUTION_ROLE = 'arn:aws:iam::000000000000:role/cdk-hnb659fds-cfn-exec-role-000000000000-us-east-1';

/** A custom resource as CloudFormation remembers it. */
interface Live {
  readonly resource: CustomResource;
  readonly physicalId: string;
}

/** Does with the custom resources of a stack what CloudFormation does, and collects what goes wrong. */
export class RehearsedStack {
  readonly problems: string[] = [];
  readonly #account: StandInAccount;
  readonly #handlers: Handlers;
  readonly #rights: Rights | undefined;
  readonly #live = new Map<string, Live>();
  #superseded: Live[] = [];

  /** Without rights, CloudFormation may do everything, and no boundary limits the handlers. */
  constructor(account: StandInAccount, handlers: Handlers, rights?: Rights) {
    this.#account = account;
    this.#handlers = handlers;
    this.#rights = rights;
  }

  /**
   * Creates what is missing, and updates what has changed. If `breakAt` is given, AWS fails all calls for that
   * resource, and the deployment ends there as one that has to be rolled back.
   */
  async deploy(version: Version, { breakAt }: { breakAt?: string } = {}): Promise<void> {
    addBuckets(this.#account, readerOf(version));
    uploadSources(this.#account, version);
    for (const resource of customResources(version)) {
      const breaks = resource.logicalId === breakAt;
      await this.#deployOne(resource, breaks);
      if (breaks) return;
    }
  }

  async #deployOne(resource: CustomResource, breaks: boolean): Promise<void> {
    const before = this.#live.get(resource.logicalId);
    if (before !== undefined && isDeepStrictEqual(before.resource.properties, resource.properties)) return;
    const { physicalId } = await this.#send(
      before === undefined ? 'Create' : 'Update',
      resource,
      before,
      breaks,
    );
    this.#live.set(resource.logicalId, { resource, physicalId });
    if (before !== undefined && before.physicalId !== physicalId) this.#superseded.push(before);
  }

  /** Ends a deployment: what an update has replaced is deleted. */
  async cleanUp(): Promise<void> {
    for (const live of this.#superseded.reverse()) await this.#delete(live);
    this.#superseded = [];
  }

  /** Goes back to the version before a failed update. What that update has replaced is kept, not cleaned up. */
  async rollBackTo(version: Version): Promise<void> {
    this.#superseded = [];
    await this.deploy(version);
    await this.cleanUp();
  }

  /** Also how a failed creation is rolled back. */
  async delete(): Promise<void> {
    for (const live of [...this.#live.values()].reverse()) await this.#delete(live);
    this.#live.clear();
  }

  async #delete(live: Live): Promise<void> {
    if (!live.resource.isRetained) await this.#send('Delete', live.resource, live, false);
  }

  async #send(
    type: CustomResourceEvent['RequestType'],
    resource: CustomResource,
    before: Live | undefined,
    breaks: boolean,
  ): Promise<Outcome> {
    const account = this.#account;
    const { provider, logicalId } = resource;
    const caller = { ...provider.caller, boundary: this.#rights?.boundary };
    if (this.#rights !== undefined) {
      account.expectCallsOf({ roleArn: EXECUTION_ROLE, statements: this.#rights.execution }, false);
      account.tryAuthorise('lambda:InvokeFunction', String(resource.properties.ServiceToken));
    }
    account.expectCallsOf(caller, false);
    for (const action of ['logs:CreateLogStream', 'logs:PutLogEvents']) {
      account.tryAuthorise(action, provider.logStreamArn);
    }
    account.expectCallsOf(caller, breaks);
    const outcome = await this.#handlers.invoke(provider, {
      RequestType: type,
      RequestId: randomUUID(),
      StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/rehearsal/0',
      LogicalResourceId: logicalId,
      ResourceType: resource.type,
      ResourceProperties: resource.properties,
      ...(before && { PhysicalResourceId: before.physicalId }),
      ...(type === 'Update' && { OldResourceProperties: before?.resource.properties }),
    });
    const refusals = account.takeRefusals().map((refusal) => `${type} of ${logicalId}: ${refusal}`);
    this.problems.push(...refusals);
    if (outcome.succeeded || breaks) return outcome;
    // The log says more only if no call was denied.
    const log = refusals.length === 0 ? `\n${outcome.log}` : '';
    this.problems.push(`${type} of ${logicalId}: ${outcome.reason}${log}`);
    return outcome;
  }
}
