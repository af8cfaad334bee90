import { Duration, Validations } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
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

/**
 * Keeps owners signed in across reloads and tabs, and ends their sessions when the password changes. Cognito takes its
 * calls unsigned, except to sign out somebody who has reset the password and has no token.
 */
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
      description: "The console's session: exchanges the refresh token in its cookie, and changes passwords",
      // A change of the password is several calls to Cognito.
      timeout: Duration.seconds(28),
    });
    session.allow(
      new PolicyStatement({
        actions: ['cognito-idp:AdminUserGlobalSignOut'],
        resources: [owners.userPoolArn],
      }),
    );
    session.setVariable(SESSION_VARIABLES.userPoolId, owners.userPoolId);
    session.setVariable(SESSION_VARIABLES.cognitoEndpoint, cognitoEndpoint);
    session.setVariable(SESSION_VARIABLES.clientId, owners.clientId);
    const { GET, PUT, POST, PATCH, DELETE } = HttpMethod;
    const methods = [GET, PUT, POST, PATCH, DELETE];
    for (const route of settingsApi.addOpenRoute(SESSION_PATH, methods, session)) {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          'It is how a token is obtained: Cognito checks the refresh token, password or code of a request.',
      });
    }
  }
}
