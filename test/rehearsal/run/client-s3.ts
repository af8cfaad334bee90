interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer>;
}

/** An error as the SDKs of AWS throw it: named after its code. */
class ServiceError extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

/** Sends one request to the stand-in for S3. */
export async function sendToS3(
  method: string,
  bucket: string,
  key: string,
  { query = '', headers = {}, body }: Sent = {},
): Promise<Buffer<ArrayBuffer>> {
  const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
  const response = await fetch(`${process.env.STAND_IN_URL}/s3/${path}${query}`, {
    method,
    headers: { accept: 'application/json', ...headers },
    body,
  });
  const answer = Buffer.from(await response.arrayBuffer());
  if (response.ok) return answer;
  const { Code, Message } = answer.length > 0 ? JSON.parse(answer.toString()) : {};
  throw new ServiceError(Code ?? String(response.status), Message ?? `${method} ${bucket}/${key}`);
}

export async function askS3<HttpResponse>(bucket: string, query: string): Promise<HttpResponse> {
  return JSON.parse((await sendToS3('GET', bucket, '', { query })).toString());
}

interface OfBucket {
  readonly Bucket: string;
}

interface Version {
  readonly Key: string;
  readonly VersionId: string;
}

/** Stands for the class of that name in `@aws-sdk/client-s3`, with the operations that CDK's handlers use. */
export class S3 {
  async getBucketTagging({ Bucket }: OfBucket) {
    const { TagSet } = await askS3<{ TagSet: { Tag: object[] } }>(Bucket, '?tagging');
    return { TagSet: TagSet.Tag };
  }

  async getBucketPolicy({ Bucket }: OfBucket) {
    return { Policy: (await sendToS3('GET', Bucket, '', { query: '?policy' })).toString() };
  }

  async putBucketPolicy({ Bucket, Policy }: OfBucket & { readonly Policy: string }) {
    await sendToS3('PUT', Bucket, '', { query: '?policy', body: Policy });
  }

  async listObjectVersions({ Bucket }: OfBucket) {
    const { Version, IsTruncated } = await askS3<{ Version: Version[]; IsTruncated: boolean }>(
      Bucket,
      '?versions',
    );
    return { Versions: Version, DeleteMarkers: [], IsTruncated };
  }

  async deleteObjects({ Bucket, Delete }: OfBucket & { readonly Delete: object }) {
    await sendToS3('POST', Bucket, '', { query: '?delete', body: JSON.stringify(Delete) });
  }
}
