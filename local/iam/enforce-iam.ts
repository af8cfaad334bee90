import { join } from 'node:path';
import type { InvokingRule } from '../event-source/event-rules.ts';
import type { Access, Mapping } from '../event-source/mapping.ts';
import type { Print } from '../function-log.ts';
import { lambdaCalls } from '../lambda-api.ts';
import { type Closers, StartupError } from '../lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_CREDENTIALS, type RoleEndpoints } from '../local-account.ts';
import type { TemplateReader } from '../template.ts';
import { openCallLog } from './call-log.ts';
import { dynamoDbCalls, sqsCalls, streamCalls } from './calls.ts';
import type { Call } from './evaluate.ts';
import { type Principal, readPrincipal } from './principal.ts';
import {
  eventBusCalls,
  INVOKE_TARGET,
  type ProxiedService,
  type Refusal,
  sesCalls,
  startProxy,
  userPoolCalls,
} from './proxy.ts';
import { readResources } from './resources.ts';

export interface EnforceIamSettings {
  readonly reader: TemplateReader;
  readonly endpoints: RoleEndpoints;
  readonly logFolder: string;
  readonly print: Print;
}

export const CALL_LOG = 'iam-calls.jsonl';

/** Starts a proxy in front of the engines that allows only what the caller's role in the template allows. */
export async function enforceIam(settings: EnforceIamSettings, closers: Closers): Promise<Access> {
  const { reader, endpoints, print } = settings;
  const resources = readResources(reader);
  const log = openCallLog(join(settings.logFolder, CALL_LOG), print);
  const principals = new Map<string, Principal>();
  const printed = new Set<string>();

  function principalOf(functionArn: string): Principal {
    const principal = readPrincipal(functionArn, reader, resources);
    const known = principals.get(principal.accessKeyId) ?? principal;
    if (known.functionName !== principal.functionName) {
      throw new Error(
        `${known.functionName} and ${principal.functionName} share a role, so their calls can't be told apart`,
      );
    }
    principals.set(known.accessKeyId, known);
    log.recordGrants(known);
    return known;
  }

  /** The error message of AWS for the first call that is not allowed. */
  function deny(principal: Principal, calls: readonly Call[]): string | undefined {
    const denials = calls.flatMap((call) => {
      const verdict = principal.judge(call);
      log.recordCall(principal, call, verdict);
      return verdict.allowed ? [] : [denialText(principal, call, verdict.reason)];
    });
    return denials[0];
  }

  type CallsOf = (principal: Principal, operation: string, body: string) => readonly Call[];
  const refuseUnless =
    (callsOf: CallsOf, refusal: (message: string) => Refusal): ProxiedService['refuse'] =>
    (accessKeyId, operation, body) => {
      const principal = principals.get(accessKeyId);
      try {
        if (principal === undefined) throw new Error(`no function signs with ${accessKeyId}`);
        const message = deny(principal, callsOf(principal, operation, body));
        return message === undefined ? undefined : refusal(message);
      } catch (error) {
        // Calls that can't be evaluated are denied.
        const who = principal?.functionName ?? 'an unknown caller';
        const message = `IAM cannot evaluate a call of ${who}: ${(error as Error).message}`;
        if (!printed.has(message)) print(message);
        printed.add(message);
        return refusal(message);
      }
    };

  const proxy = await startProxy(
    [
      {
        target: 'DynamoDB_20120810',
        endpoint: new URL(endpoints.dynamoDb),
        refuse: refuseUnless(
          (principal, operation, body) =>
            dynamoDbCalls(operation, JSON.parse(body), resources, principal.hasConditionOn),
          inDynamoDb,
        ),
      },
      {
        target: 'DynamoDBStreams_20120810',
        endpoint: new URL(endpoints.dynamoDb),
        refuse: refuseUnless(
          (_, operation, body) => streamCalls(operation, JSON.parse(body), resources),
          inDynamoDb,
        ),
      },
      {
        target: 'AmazonSQS',
        endpoint: new URL(endpoints.sqs),
        refuse: refuseUnless((_, operation, body) => sqsCalls(operation, JSON.parse(body), resources), inSqs),
      },
      {
        target: 'AWSEvents',
        endpoint: new URL(endpoints.eventBridge),
        refuse: refuseUnless(
          (_, operation, body) => eventBusCalls(operation, JSON.parse(body)),
          asError(400),
        ),
      },
      {
        target: 'AWSCognitoIdentityProviderService',
        endpoint: new URL(endpoints.cognito),
        refuse: refuseUnless(
          (_, operation, body) => userPoolCalls(operation, JSON.parse(body)),
          asError(400),
        ),
      },
      {
        target: 'SES',
        endpoint: new URL(endpoints.ses),
        refuse: refuseUnless((_, operation, body) => sesCalls(operation, JSON.parse(body)), asError(403)),
      },
      {
        target: INVOKE_TARGET,
        endpoint: new URL(endpoints.lambda),
        refuse: refuseUnless((_, functionName) => lambdaCalls(functionName), asError(403)),
      },
    ],
    closers,
  );

  return {
    dynamoDb: proxy.endpoint,
    sqs: proxy.endpoint,
    ses: proxy.endpoint,
    eventBridge: proxy.endpoint,
    cognito: proxy.endpoint,
    lambda: proxy.endpoint,
    credentialsOf: (functionArn) => ({
      accessKeyId: principalOf(functionArn).accessKeyId,
      secretAccessKey: LOCAL_CREDENTIALS.secretAccessKey,
    }),
    checkMapping(mapping) {
      const message = deny(principalOf(mapping.functionArn), callsOfMapping(mapping));
      if (message !== undefined)
        throw new StartupError(`Lambda would refuse ${mapping.logicalId}: ${message}`);
    },
    checkRule(rule) {
      if (!mayInvoke(rule, reader)) {
        throw new StartupError(`${rule.logicalId} lacks the permission to invoke ${rule.functionArn}.`);
      }
    },
  };
}

const asError =
  (status: number) =>
  (message: string): Refusal => ({ status, message });

const inDynamoDb = asError(400);

function inSqs(message: string): Refusal {
  return { status: 403, message, headers: { 'x-amzn-query-error': 'AccessDenied;Sender' } };
}

function denialText(
  { roleName, functionName }: Principal,
  { action, resource }: Call,
  reason: string,
): string {
  const user = `arn:aws:sts::${LOCAL_ACCOUNT}:assumed-role/${roleName}/${functionName}`;
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html and https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
function callsOfMapping(mapping: Mapping): Call[] {
  if (mapping.kind === 'queue') {
    return ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => ({
      action: `sqs:${action}`,
      resource: mapping.queueArn,
    }));
  }
  return [
    ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => ({
      action: `dynamodb:${action}`,
      resource: mapping.streamArn,
    })),
    { action: 'dynamodb:ListStreams', resource: '*' },
  ];
}

/** A rule has no role: the function's own policy must name it. */
function mayInvoke({ functionArn, ruleArn }: InvokingRule, reader: TemplateReader): boolean {
  return reader
    .resources('AWS::Lambda::Permission')
    .filter((permission) => permission.property('Principal') === 'events.amazonaws.com')
    .some(
      (permission) =>
        permission.property('Action') === 'lambda:InvokeFunction' &&
        permission.property('FunctionName') === functionArn &&
        [undefined, ruleArn].includes(permission.property('SourceArn')),
    );
}
