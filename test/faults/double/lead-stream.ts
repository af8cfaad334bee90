import type { DynamoDBRecord } from 'aws-lambda';
import type { Item } from './attribute-value.ts';
import type { Change } from './dynamodb-double.ts';

/** The stream of the table of leads: every change in the order in which it was made, with the new image. */
export class LeadStream {
  readonly records: DynamoDBRecord[] = [];

  add({ before, after }: Change): void {
    if (before === after) return;
    const image = (after ?? before) as Item;
    const sequence = String(this.records.length + 1);
    this.records.push({
      eventID: `event-${sequence}`,
      eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
      eventSource: 'aws:dynamodb',
      dynamodb: {
        SequenceNumber: sequence.padStart(21, '0'),
        Keys: { leadId: image.leadId, part: image.part },
        ...(after && { NewImage: after }),
      },
    } as unknown as DynamoDBRecord);
  }
}
