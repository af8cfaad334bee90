import { AwsError, type Bucket, type StandInAccount } from './account.ts';
import type { AwsAnswer, AwsRequest } from './server.ts';

/** On AWS handlers call over TLS. Here they cannot, and a bucket that insists on it must not mind. */
const OVER_TLS = {
  'aws:SecureTransport': 'true',
  's3:TlsVersion': '1.3',
  // Only calls that one service makes for another have it.
  'aws:SourceArn': undefined,
};

const SUBRESOURCES = ['list-type', 'versions', 'tagging', 'policy', 'delete'];

/** The operations of S3 that handlers of custom resources use, each with the permissions that it takes on AWS. */
export function answerS3(account: StandInAccount, request: AwsRequest): AwsAnswer {
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

function listOf(root: string, fields: object): AwsAnswer {
  return { root, fields: { IsTruncated: false, ...fields } };
}

/** Its body is JSON here, since only the stand-in for the SDK of Node sends it. Each object is authorised alone. */
function deleteObjects(
  bucket: Bucket,
  { body }: AwsRequest,
  authorise: (action: string, key: string) => void,
): AwsAnswer {
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
