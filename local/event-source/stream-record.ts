import type { _Record, AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import { LOCAL_REGION } from '../local-account.ts';

/** A record of a stream as a function gets it. */
export interface LambdaStreamRecord {
  readonly dynamodb: { readonly SequenceNumber?: string };
  readonly [key: string]: unknown;
}

/** Lambda's shape of what the streams API gives: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export function toLambdaRecord(record: _Record, streamArn: string): LambdaStreamRecord {
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime: createdAt, ...rest } = record.dynamodb ?? {};
  const { userIdentity } = record;
  return {
    eventID: record.eventID,
    eventName: record.eventName,
    eventVersion: record.eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: LOCAL_REGION,
    dynamodb: {
      ...(createdAt && { ApproximateCreationDateTime: createdAt.getTime() / 1000 }),
      ...(Keys && { Keys: toJson(Keys) }),
      ...(NewImage && { NewImage: toJson(NewImage) }),
      ...(OldImage && { OldImage: toJson(OldImage) }),
      ...rest,
    },
    // Of items that time to live has deleted.
    ...(userIdentity && {
      userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
    }),
    // DynamoDB Local takes itself for a region.
    eventSourceARN: streamArn.replace(':ddblocal:', `:${LOCAL_REGION}:`),
  };
}

function toJson(item: Readonly<Record<string, AttributeValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, attributeToJson(value)]));
}

/** DynamoDB's JSON: bytes in base64, everything else as it is. */
function attributeToJson(value: AttributeValue): unknown {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  if (value.L !== undefined) return { L: value.L.map(attributeToJson) };
  if (value.M !== undefined) return { M: toJson(value.M) };
  return value;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
