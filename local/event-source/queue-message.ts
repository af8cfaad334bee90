import type { Message } from '@aws-sdk/client-sqs';
import { LOCAL_REGION } from '../local-account.ts';

/** A message of a queue as a function gets it: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export function toLambdaMessage(message: Message, queueArn: string) {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body ?? '',
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [
        name,
        {
          ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
          ...(value.BinaryValue !== undefined && {
            binaryValue: Buffer.from(value.BinaryValue).toString('base64'),
          }),
          stringListValues: [],
          binaryListValues: [],
          dataType: value.DataType,
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: LOCAL_REGION,
  };
}

/** What a pattern is laid upon: the body as JSON, where it is. */
export function toFilterable(message: ReturnType<typeof toLambdaMessage>): unknown {
  try {
    return { ...message, body: JSON.parse(message.body) };
  } catch {
    return message;
  }
}
