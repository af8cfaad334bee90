import { Duration, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPool,
  type CfnUserPoolClient,
  ClientAttributes,
  FeaturePlan,
  Mfa,
  StandardThreatProtectionMode,
  StringAttribute,
  UserPool,
  UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { INVITED_ATTRIBUTE, WORKSPACE_ATTRIBUTE } from '../lambdas/contract.ts';
import type { Stage } from './stage.ts';

export interface OwnersProps {
  readonly stage: Stage;
  /** Checks each sign-in for stolen passwords and unusual places. Billed per user. */
  readonly threatProtection: boolean;
  /** Where owners sign in, if it is known at synth. */
  readonly consoleDomainName: string | undefined;
}

/** The owners of workspaces: their user pool, which also stores the workspace of each owner. */
export class Owners extends Construct {
  private readonly pool: UserPool;
  private readonly client: UserPoolClient;

  constructor(scope: Construct, id: string, props: OwnersProps) {
    super(scope, id);
    this.pool = this.makePool(props);
    this.client = this.makeClient(props.stage);
  }

  get userPoolId(): string {
    return this.pool.userPoolId;
  }

  get userPoolArn(): string {
    return this.pool.userPoolArn;
  }

  get clientId(): string {
    return this.client.userPoolClientId;
  }

  /** The `iss` of every token of this pool. */
  get issuer(): string {
    return this.pool.userPoolProviderUrl;
  }

  private makePool({ stage, threatProtection, consoleDomainName }: OwnersProps): UserPool {
    const pool = new UserPool(this, 'Pool', {
      // Only operators create owners: nobody can sign up for another workspace.
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // A new address works once it is verified. Until then the owner signs in with the old one.
      keepOriginal: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      // Decides whose leads an owner sees. Set at creation and never changed.
      customAttributes: {
        [WORKSPACE_ATTRIBUTE]: new StringAttribute({ mutable: false, minLen: 1, maxLen: 64 }),
        // Tells those whom an owner invited from owners whom an operator made.
        [INVITED_ATTRIBUTE]: new StringAttribute({ mutable: false, minLen: 1, maxLen: 16 }),
      },
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(7),
      },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      userInvitation: {
        emailSubject: 'Your access to lead-ingest',
        emailBody: `Sign in${consoleDomainName ? ` at https://${consoleDomainName}` : ''} as {username} with the temporary password {####} within 7 days.`,
      },
      featurePlan: threatProtection ? FeaturePlan.PLUS : FeaturePlan.ESSENTIALS,
      ...(threatProtection && { standardThreatProtectionMode: StandardThreatProtectionMode.FULL_FUNCTION }),
      removalPolicy: stage.removalPolicy,
      deletionProtection: stage.keepsData,
    });
    // With another logical id, CloudFormation would replace the pool with an empty one.
    (pool.node.defaultChild as CfnUserPool).overrideLogicalId('Owners');
    acknowledgePool(pool, threatProtection);
    return pool;
  }

  /** The console's client. It runs in a browser, so it has no secret. */
  private makeClient(stage: Stage): UserPoolClient {
    const client = new UserPoolClient(this, 'Client', {
      userPool: this.pool,
      generateSecret: false,
      // SRP sends no password. The other flow is for operators, and also needs AWS credentials.
      authFlows: { userSrp: true, adminUserPassword: true },
      disableOAuth: true,
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(30),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true })
        .withCustomAttributes(WORKSPACE_ATTRIBUTE, INVITED_ATTRIBUTE),
      // Listed one by one: owners cannot write any other attribute with their token.
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true }),
    });
    client.applyRemovalPolicy(stage.removalPolicy);
    (client.node.defaultChild as CfnUserPoolClient).overrideLogicalId('OwnersClient');
    return client;
  }
}

function acknowledgePool(pool: UserPool, threatProtection: boolean): void {
  Validations.of(pool).acknowledge({
    id: 'AwsSolutions-COG2',
    reason: 'Owners choose a second factor for themselves: they are customers, many of them one person.',
  });
  if (threatProtection) return;
  const reason = 'Billed by user: a deployer turns it on, with its plan, by context ownerThreatProtection.';
  Validations.of(pool).acknowledge({ id: 'AwsSolutions-COG3', reason }, { id: 'AwsSolutions-COG8', reason });
}
