import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { requireVariable } from '../../lambdas/contract.ts';
import { SHELF_VARIABLES } from '../engines/contender-names.ts';
import { makeOffTheShelf } from './handler.ts';

const variable = (name: string) => requireVariable(process.env, name);

export const handler = makeOffTheShelf({
  dynamo: new DynamoDB({}),
  sqs: new SQSClient({}),
  queueUrl: variable(SHELF_VARIABLES.queueUrl),
  tables: {
    tokens: variable(SHELF_VARIABLES.tokens),
    limits: variable(SHELF_VARIABLES.limits),
    idempotency: variable(SHELF_VARIABLES.idempotency),
    leads: variable(SHELF_VARIABLES.leads),
  },
});
