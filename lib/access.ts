import { Construct } from 'constructs';
import { ACCESS_VARIABLES } from '../lambdas/contract.ts';
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

  constructor(scope: Construct, id: string, props: AccessProps) {
    super(scope, id);
    this.authorizer = this.makeAuthorizer(props);
  }

  private makeAuthorizer({ stage, tables, owners }: AccessProps): ServiceFunction {
    const authorizer = new ServiceFunction(this, 'Authorize', {
      stage,
      folder: 'authorize',
      description: "The owner's API: finds out who sends a request",
    });
    tables.grant(authorizer, 'members', ['GetItem', 'PutItem', 'UpdateItem']);
    tables.grant(authorizer, 'workspaces', ['GetItem']);
    authorizer.setVariable(ACCESS_VARIABLES.issuer, owners.issuer);
    authorizer.setVariable(ACCESS_VARIABLES.clientId, owners.clientId);
    return authorizer;
  }
}
