import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ACCESS_VARIABLES, INDEXES } from '../lambdas/contract.ts';
import type { Owners } from './owners.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface AccessProps {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly owners: Owners;
}

/** Who may use the settings API, and for what. */
export class Access extends Construct {
  /** Called by API Gateway before every request to the settings API. */
  readonly authorizer: ServiceFunction;
  /** The routes about members. */
  readonly members: ServiceFunction;

  constructor(scope: Construct, id: string, props: AccessProps) {
    super(scope, id);
    this.authorizer = this.makeAuthorizer(props);
    this.members = this.makeMembers(props);
  }

  private makeAuthorizer({ stage, tables, owners }: AccessProps): ServiceFunction {
    const authorizer = new ServiceFunction(this, 'Authorize', {
      stage,
      folder: 'authorize',
      description: "The owner's API: finds out who sends a request",
    });
    tables.grant(authorizer, 'members', ['GetItem', 'PutItem', 'UpdateItem']);
    tables.grant(authorizer, 'workspaces', ['GetItem']);
    tables.grant(authorizer, 'apiKeys', ['GetItem', 'UpdateItem']);
    authorizer.setVariable(ACCESS_VARIABLES.issuer, owners.issuer);
    authorizer.setVariable(ACCESS_VARIABLES.clientId, owners.clientId);
    return authorizer;
  }

  /** The only function that can make and delete users. */
  private makeMembers({ stage, tables, owners }: AccessProps): ServiceFunction {
    // Its resources keep the name under which they were first deployed.
    const members = new ServiceFunction(this, 'Invite', {
      stage,
      folder: 'members',
      name: 'invite',
      description: "The owner's API: lists, invites and removes the members of a workspace",
      // Cognito sends the invitation before it responds.
      timeout: Duration.seconds(15),
    });
    tables.grant(members, 'members', ['Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem']);
    tables.grant(members, 'activity', ['PutItem']);
    tables.grant(members, 'apiKeys', ['UpdateItem']);
    tables.grantQueryIndex(members, 'apiKeys', INDEXES.apiKeysByWorkspace);
    members.allow(
      new PolicyStatement({
        actions: ['AdminCreateUser', 'AdminGetUser', 'AdminDeleteUser'].map((it) => `cognito-idp:${it}`),
        resources: [owners.userPoolArn],
      }),
    );
    members.setVariable(ACCESS_VARIABLES.userPoolId, owners.userPoolId);
    return members;
  }
}
