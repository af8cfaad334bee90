import { askS3, sendToS3 } from './s3-requests.ts';

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
