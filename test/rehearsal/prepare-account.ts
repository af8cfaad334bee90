import { filesIn } from '../../local/console/bucket-files.ts';
import type { ResourceStatement } from '../../local/iam/policies.ts';
import type { TemplateReader } from '../../local/template.ts';
import { customResources, type Version } from './custom-resources.ts';
import { zip } from './handlers.ts';
import type { StandInAccount } from './stand-in/account.ts';

interface Encryption {
  readonly ServerSideEncryptionConfiguration: readonly {
    readonly ServerSideEncryptionByDefault?: { readonly KMSMasterKeyID?: string };
  }[];
}

/** Makes the buckets of a template, with their tags and policies. Those that exist keep their objects. */
export function addBuckets({ buckets }: StandInAccount, reader: TemplateReader): void {
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
export function uploadSources({ buckets }: StandInAccount, version: Version): void {
  for (const { properties } of customResources(version)) {
    const keys = (properties.SourceObjectKeys ?? []) as string[];
    const names = (properties.SourceBucketNames ?? []) as string[];
    for (const [index, key] of keys.entries()) {
      const name = names[index] ?? '';
      const staging = buckets.get(name) ?? { objects: new Map(), tags: [], keyArn: undefined, policy: [] };
      const contents = zip(filesIn(version.assetFolder(key)));
      staging.objects.set(key, { contents, cacheControl: undefined });
      buckets.set(name, staging);
    }
  }
}
