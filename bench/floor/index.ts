import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { FLOOR_VARIABLES } from '../engines/contender-names.ts';

const client = new DynamoDBClient({});

/** The minimum: stores the lead with one `PutItem`, without checks, limits, keys or score. */
export async function handler({ body }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const leadId = randomUUID();
  await client.send(
    new PutItemCommand({
      TableName: process.env[FLOOR_VARIABLES.leads],
      Item: { leadId: { S: leadId }, body: { S: Buffer.from(body ?? '', 'base64').toString('utf8') } },
    }),
  );
  return {
    statusCode: 202,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ submission_id: leadId }),
  };
}
