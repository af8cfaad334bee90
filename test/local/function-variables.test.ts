import { describe, expect, test } from '@jest/globals';
import { QUEUE_VARIABLES, SENDING_VARIABLES, TABLE_VARIABLES } from '#contract';
import { openAccess } from '#local/event-source/mapping.ts';
import { environmentVariables } from '#local/functions.ts';

const endpoints = {
  dynamoDb: 'http://127.0.0.1:1',
  sqs: 'http://127.0.0.1:2',
  ses: 'http://127.0.0.1:3',
  eventBridge: 'http://127.0.0.1:4',
  cognito: 'http://127.0.0.1:5',
  dns: '127.0.0.1:6',
};

function variablesOf(
  variables: Record<string, string>,
  options: { readonly allowLoopbackDestinations?: boolean } = {},
) {
  return environmentVariables(
    {
      name: 'Fn',
      arn: 'arn:aws:lambda:us-east-1:000000000000:function:Fn',
      codeFolder: '/code',
      handler: 'index.handler',
      timeoutSeconds: 3,
      memoryMegabytes: 128,
      logFormat: 'JSON',
      logGroup: '/aws/lambda/Fn',
      variables,
    },
    { endpoints, addresses: new Map(), access: openAccess(endpoints), ...options },
  );
}

test('functions find each engine', () => {
  expect(variablesOf({})).toMatchObject({
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_SESV2: endpoints.ses,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventBridge,
  });
});

describe('destinations on this machine', () => {
  /** Of the functions that save and use the addresses of destinations. */
  const send = { [TABLE_VARIABLES.destinationSecrets]: 'Secrets' };
  const dispatch = { [TABLE_VARIABLES.destinations]: 'D', [QUEUE_VARIABLES.sending]: 'http://queue' };
  const allowed = { allowLoopbackDestinations: true };

  test('are allowed to the functions that need them, if the option is given', () => {
    expect(variablesOf(send, allowed)[SENDING_VARIABLES.allowLoopback]).toBe('true');
  });

  test.each([
    ['by default', send, {}],
    ['without the option', send, { allowLoopbackDestinations: false }],
    ['to other functions', dispatch, allowed],
  ])('are not allowed %s', (_, variables, options) => {
    expect(variablesOf(variables, options)).not.toHaveProperty(SENDING_VARIABLES.allowLoopback);
  });
});
