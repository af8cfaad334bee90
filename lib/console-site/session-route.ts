import { Validations } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { SESSION_VARIABLES } from '../../lambdas/contract.ts';
import type { Owners } from '../owners.ts';
import { ServiceFunction } from '../service-function.ts';
import type { SettingsApi } from '../settings-api.ts';
import type { Stage } from '../stage.ts';

export const SESSION_PATH = '/session';

export interface SessionRouteProps {
  readonly stage: Stage;
  readonly owners: Owners;
  readonly settingsApi: SettingsApi;
  readonly cognitoEndpoint: string;
}

/** Keeps owners signed in across reloads and tabs. The function needs no permissions: Cognito takes its calls unsigned. */
export class SessionRoute extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, owners, settingsApi, cognitoEndpoint }: SessionRouteProps,
  ) {
    super(scope, id);
    const session = new ServiceFunction(this, 'Session', {
      stage,
      folder: 'session',
      description: "The console's session: exchanges the refresh token in its cookie",
    });
    session.setVariable(SESSION_VARIABLES.cognitoEndpoint, cognitoEndpoint);
    session.setVariable(SESSION_VARIABLES.clientId, owners.clientId);
    const { PUT, POST, DELETE } = HttpMethod;
    for (const route of settingsApi.addOpenRoute(SESSION_PATH, [PUT, POST, DELETE], session)) {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'It is how a token is obtained: Cognito checks the refresh token that a request brings.',
      });
    }
  }
}
