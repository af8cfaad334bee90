import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  APIGatewayProxyEventV2WithLambdaAuthorizer,
  APIGatewayRequestAuthorizerEventV2,
} from 'aws-lambda';
import { startCognito } from '#local/cognito/start-cognito.ts';
import { ensureOwner } from '#local/demo-workspace.ts';
import { makeHttpApi } from '#local/gateway/http-api.ts';
import { openGateway } from '#local/gateway/server.ts';
import { makeClosers } from '#local/lifecycle.ts';
import { type Template, TemplateReader } from '#local/template.ts';

const API = { Ref: 'SettingsApi' };
export const OWNER = { email: 'ada@example.com', password: 'Correct-horse-1', workspaceId: 'ws_ada' };

/** An HTTP API as CDK writes it, behind an authorizer; and two pools, one of them of somebody else. */
export function settingsTemplate(): Template {
  return {
    Resources: {
      ...pool('Owners', 'OwnersClient'),
      ...pool('Strangers', 'StrangersClient'),
      OtherClient: client('Owners'),
      Function: { Type: 'AWS::Lambda::Function' },
      AuthorizerFunction: { Type: 'AWS::Lambda::Function' },
      SettingsApi: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
      Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId: API, StageName: '$default' } },
      Authorizer: {
        Type: 'AWS::ApiGatewayV2::Authorizer',
        Properties: {
          ApiId: API,
          AuthorizerType: 'REQUEST',
          AuthorizerPayloadFormatVersion: '2.0',
          AuthorizerResultTtlInSeconds: 0,
          AuthorizerUri: {
            'Fn::Join': [
              '',
              [
                'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/',
                { 'Fn::GetAtt': ['AuthorizerFunction', 'Arn'] },
                '/invocations',
              ],
            ],
          },
          EnableSimpleResponses: true,
          IdentitySource: ['$request.header.Authorization'],
        },
      },
      Integration: {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: {
          ApiId: API,
          IntegrationType: 'AWS_PROXY',
          IntegrationUri: { 'Fn::GetAtt': ['Function', 'Arn'] },
          PayloadFormatVersion: '2.0',
          TimeoutInMillis: 300,
        },
      },
      ...route('Forms', 'GET /settings/forms', CUSTOM),
      ...route('MakeForm', 'POST /settings/forms', CUSTOM),
      ...route('Form', 'GET /settings/forms/{formId}', CUSTOM),
      ...route('Export', 'GET /settings/forms/{formId}/leads/export', CUSTOM),
      ...route('Open', 'GET /open', {}),
    },
  };
}

const CUSTOM = { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Authorizer' } };

function route(logicalId: string, routeKey: string, authorization: object) {
  return {
    [logicalId]: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId: API,
        RouteKey: routeKey,
        Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
        ...authorization,
      },
    },
  };
}

function pool(poolId: string, clientId: string) {
  return {
    [poolId]: {
      Type: 'AWS::Cognito::UserPool',
      Properties: {
        UsernameAttributes: ['email'],
        AdminCreateUserConfig: {
          AllowAdminCreateUserOnly: true,
          InviteMessageTemplate: {
            EmailSubject: 'Your access',
            EmailMessage: 'Sign in as {username} with {####}.',
          },
        },
        Schema: [
          { Name: 'email', Required: true, Mutable: true },
          { Name: 'workspace_id', AttributeDataType: 'String', Mutable: false },
        ],
      },
    },
    [clientId]: client(poolId),
  };
}

function client(poolId: string) {
  return {
    Type: 'AWS::Cognito::UserPoolClient',
    Properties: {
      UserPoolId: { Ref: poolId },
      IdTokenValidity: 60,
      AccessTokenValidity: 60,
      TokenValidityUnits: { IdToken: 'minutes', AccessToken: 'minutes' },
    },
  };
}

export type SettingsEvent = APIGatewayProxyEventV2WithLambdaAuthorizer<Record<string, unknown>>;
/** What the one function behind the gateway does. */
export type Behave = (event: SettingsEvent, signal: AbortSignal | undefined) => unknown;
/** What the authorizer returns. */
export type Decide = (event: APIGatewayRequestAuthorizerEventV2) => unknown;

const allowEverybody: Decide = () => ({ isAuthorized: true, context: { workspaceId: OWNER.workspaceId } });

export type TestCognito = Awaited<ReturnType<typeof openTestCognito>>;
export type TestSettings = Awaited<ReturnType<typeof openTestSettings>>;

export const CONSOLE_URL = 'http://127.0.0.1:8788';

/** A local Cognito with the fixture's pools. Its folder is removed with the last that uses it. */
export async function openTestCognito(directory = mkdtempSync(join(tmpdir(), 'cognito-test-'))) {
  const closers = makeClosers();
  const reader = new TemplateReader(settingsTemplate(), 'LeadIngest-dev');
  const mail: string[] = [];
  const mailFolder = mkdtempSync(join(tmpdir(), 'cognito-mail-'));
  closers.defer(() => rmSync(mailFolder, { recursive: true }));
  const { endpoint } = await startCognito(
    reader,
    { directory, mailFolder, consoleUrl: CONSOLE_URL, print: (line) => mail.push(line) },
    closers,
  );

  async function call(operation: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`, ...headers },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a response of any operation.
    return { status: response.status, body: (await response.json()) as any };
  }

  async function tokens(clientId = 'OwnersClient', { email, password } = OWNER) {
    const { body } = await call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: reader.ref(clientId),
      AuthParameters: { USERNAME: email, PASSWORD: password },
    });
    return body.AuthenticationResult as { IdToken: string; AccessToken: string; RefreshToken: string };
  }

  return {
    directory,
    reader,
    endpoint,
    mail,
    mailFolder,
    call,
    tokens,
    makeOwner: (poolId = 'Owners', owner = OWNER) =>
      ensureOwner({ endpoint, userPoolId: reader.ref(poolId) }, owner),
    close: () => closers.close(),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The gateway with the fixture's routes, and a function and an authorizer of the test. */
export async function openTestSettings() {
  const cognito = await openTestCognito();
  const gateway = await openGateway(0);
  const authorizerArn = cognito.reader.arn('AuthorizerFunction');
  let behave: Behave;
  let decide: Decide = allowEverybody;
  let events: SettingsEvent[];
  gateway.serve(
    makeHttpApi(cognito.reader, {
      open: () => undefined,
      async invoke(functionArn, event, signal) {
        if (functionArn === authorizerArn) return JSON.stringify((await decide(JSON.parse(event))) ?? null);
        events.push(JSON.parse(event));
        return JSON.stringify((await behave(JSON.parse(event), signal)) ?? null);
      },
    }),
  );
  return {
    cognito,
    url: gateway.url,
    /** Starts a new list, which collects the events that reach the function. */
    serve(how: Behave = () => ({ statusCode: 204 }), whom: Decide = allowEverybody): SettingsEvent[] {
      events = [];
      behave = how;
      decide = whom;
      return events;
    },
    get: (path: string, token?: string) =>
      fetch(gateway.url + path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }),
    async close() {
      await gateway.close();
      await cognito.close();
      cognito.remove();
    },
  };
}
