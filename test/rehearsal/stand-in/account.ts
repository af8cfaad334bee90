import { evaluate, type Statement } from '#local/iam/evaluate.ts';
import { type ResourceStatement, statementsForRole } from '#local/iam/policies.ts';
import type { AwsRequest, AwsResponse } from './server.ts';

export interface StoredObject {
  readonly contents: Buffer;
  readonly cacheControl: string | undefined;
}

export interface Bucket {
  readonly objects: Map<string, StoredObject>;
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
  /** The customer key that encrypts the bucket, if there is one. */
  readonly keyArn: string | undefined;
  policy: readonly ResourceStatement[];
}

/** Whoever calls: the role of a function. */
export interface Caller {
  readonly roleArn: string;
  readonly statements: readonly Statement[];
  /** The most that the role may do, if its account limits roles. */
  readonly boundary?: readonly Statement[] | undefined;
}

/** An error as AWS returns it. */
export class AwsError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What the stand-ins for AWS's services share: the buckets, who calls now, and what they were refused. */
export class StandInAccount {
  readonly buckets = new Map<string, Bucket>();
  readonly #denied = new Set<string>();
  readonly #unknown = new Set<string>();
  #caller: Caller | undefined;
  #outage = false;

  /** From now on calls come from this role. During an outage every one of them fails. */
  expectCallsOf(caller: Caller, outage: boolean): void {
    this.#caller = caller;
    this.#outage = outage;
  }

  /** Throws unless the caller's role, or the policy of the resource, allows the call. */
  authorise(
    action: string,
    resource: string,
    context: Readonly<Record<string, string | undefined>>,
    policy: readonly ResourceStatement[] = [],
  ): void {
    if (this.#caller === undefined) throw new Error('nobody is expected to call');
    if (this.#outage) throw new AwsError(400, 'RehearsedOutage');
    const { roleArn, statements, boundary } = this.#caller;
    const ofBoth = [...statements, ...statementsForRole(policy, roleArn)];
    const call = { action, resource, context: { ...context, 'aws:PrincipalArn': roleArn } };
    // It also limits what the policy of a resource grants to the role.
    const isWithin = boundary === undefined || evaluate(boundary, call).allowed;
    if (isWithin && evaluate(ofBoth, call).allowed) return;
    this.#denied.add(`${action} on ${resource}`);
    throw new AwsError(
      403,
      'AccessDenied',
      `${roleArn} is not authorized to perform ${action} on ${resource}`,
    );
  }

  /** For calls that Lambda makes on behalf of the role. A refusal does not stop the handler, and is remembered. */
  tryAuthorise(action: string, resource: string): void {
    try {
      this.authorise(action, resource, {});
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
    }
  }

  /** A call that no stand-in knows: it must be added to one before a handler may make it. */
  refuseUnknown(call: string): never {
    this.#unknown.add(call);
    throw new AwsError(501, 'NotImplemented', `no stand-in knows ${call}`);
  }

  /** What went wrong since the last time this was asked. */
  takeRefusals(): string[] {
    const refusals = [
      ...[...this.#denied].map((call) => `not allowed: ${call}`),
      ...[...this.#unknown].map((call) => `not known to a stand-in: ${call}`),
    ];
    this.#denied.clear();
    this.#unknown.clear();
    return refusals;
  }
}

/** On AWS handlers call over TLS. Here they cannot, and a bucket that insists on it must not mind. */
const OVER_TLS = {
  'aws:SecureTransport': 'true',
  's3:TlsVersion': '1.3',
  // Only calls that one service makes for another have it.
  'aws:SourceArn': undefined,
};

const SUBRESOURCES = ['list-type', 'versions', 'tagging', 'policy', 'delete'];

/** The operations of S3 that handlers of custom resources use, each with the permissions that it takes on AWS. */
export function responseS3(account: StandInAccount, request: AwsRequest): AwsResponse {
  const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(request.path) ?? [];
  const bucket = account.buckets.get(name);
  if (bucket === undefined) throw new AwsError(404, 'NoSuchBucket', name);
  const arn = `arn:aws:s3:::${name}`;
  const authorise = (action: string, resource: string, context = {}) =>
    account.authorise(action, resource, { ...OVER_TLS, ...context }, bucket.policy);
  const subresource = SUBRESOURCES.find((it) => request.query.has(it));
  switch ([request.method, key === '' ? 'bucket' : 'object', subresource].filter(Boolean).join(' ')) {
    case 'HEAD object':
    case 'GET object': {
      authorise('s3:GetObject', `${arn}/${key}`);
      if (bucket.keyArn !== undefined) authorise('kms:Decrypt', bucket.keyArn);
      const object = bucket.objects.get(key);
      if (object === undefined) throw new AwsError(404, 'NoSuchKey', key);
      return object.contents;
    }
    case 'PUT object':
      authorise('s3:PutObject', `${arn}/${key}`);
      if (bucket.keyArn !== undefined) authorise('kms:GenerateDataKey', bucket.keyArn);
      bucket.objects.set(key, { contents: request.body, cacheControl: request.cacheControl });
      return undefined;
    case 'DELETE object':
      authorise('s3:DeleteObject', `${arn}/${key}`);
      bucket.objects.delete(key);
      return undefined;
    case 'GET bucket list-type': {
      const prefix = request.query.get('prefix') ?? '';
      authorise('s3:ListBucket', arn, { 's3:prefix': prefix });
      const keys = [...bucket.objects.keys()].filter((it) => it.startsWith(prefix));
      return listOf('ListBucketResult', { Contents: keys.map((Key) => ({ Key })) });
    }
    case 'GET bucket versions': {
      authorise('s3:ListBucketVersions', arn, { 's3:prefix': request.query.get('prefix') ?? undefined });
      const versions = [...bucket.objects.keys()].map((Key) => ({ Key, VersionId: 'null' }));
      return listOf('ListVersionsResult', { Version: versions });
    }
    case 'POST bucket delete':
      return deleteObjects(bucket, request, (action, deleted) => authorise(action, `${arn}/${deleted}`));
    case 'GET bucket tagging':
      authorise('s3:GetBucketTagging', arn);
      if (bucket.tags.length === 0) throw new AwsError(404, 'NoSuchTagSet');
      return { root: 'Tagging', fields: { TagSet: { Tag: bucket.tags } } };
    case 'GET bucket policy':
      authorise('s3:GetBucketPolicy', arn);
      if (bucket.policy.length === 0) throw new AwsError(404, 'NoSuchBucketPolicy');
      return Buffer.from(JSON.stringify({ Version: '2012-10-17', Statement: bucket.policy }));
    case 'PUT bucket policy':
      authorise('s3:PutBucketPolicy', arn);
      bucket.policy = JSON.parse(request.body.toString()).Statement;
      return undefined;
    default:
      return account.refuseUnknown(`s3 ${request.method} ${request.path}?${request.query}`);
  }
}

function listOf(root: string, fields: object): AwsResponse {
  return { root, fields: { IsTruncated: false, ...fields } };
}

/** Its body is JSON here, since only the stand-in for the SDK of Node sends it. Each object is authorised alone. */
function deleteObjects(
  bucket: Bucket,
  { body }: AwsRequest,
  authorise: (action: string, key: string) => void,
): AwsResponse {
  const { Objects } = JSON.parse(body.toString()) as { Objects: { Key: string; VersionId?: string }[] };
  const refused = Objects.flatMap(({ Key, VersionId }) => {
    try {
      authorise(VersionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion', Key);
      bucket.objects.delete(Key);
      return [];
    } catch (error) {
      if (error instanceof AwsError) return [{ Key, Code: error.code }];
      throw error;
    }
  });
  return { root: 'DeleteResult', fields: { Error: refused } };
}
