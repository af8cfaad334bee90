import { LOCAL_REGION } from '../local-account.ts';

/** A record as the streams API gives it: items in DynamoDB's JSON, bytes in base64, times in seconds. */
export interface StreamRecord {
  readonly dynamodb?: { readonly SequenceNumber?: string; readonly [key: string]: unknown };
  readonly userIdentity?: { readonly PrincipalId?: string; readonly Type?: string };
  readonly [key: string]: unknown;
}

/** A record of a stream as a function gets it. */
export interface LambdaStreamRecord {
  readonly dynamodb: { readonly SequenceNumber?: string };
  readonly [key: string]: unknown;
}

/** Lambda's shape of it: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export function toLambdaRecord(record: StreamRecord, streamArn: string): LambdaStreamRecord {
  const { eventID, eventName, eventVersion, dynamodb = {}, userIdentity } = record;
  return {
    ...{ eventID, eventName, eventVersion, eventSource: 'aws:dynamodb', awsRegion: LOCAL_REGION, dynamodb },
    // Of items that time to live has deleted.
    ...(userIdentity && {
      userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
    }),
    eventSourceARN: inRegion(streamArn),
  };
}

/** DynamoDB Local takes itself for a region. */
export function inRegion(streamArn: string): string {
  return streamArn.replace(':ddblocal:', `:${LOCAL_REGION}:`);
}
