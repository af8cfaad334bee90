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
import { WORKSPACE_ATTRIBUTE } from '../lambdas/contract.ts';
import type { Stage } from './stage.ts';

export interface OwnersProps {
  readonly stage: Stage;
  /** Checks each sign-in for stolen passwords and unusual places. Billed per user. */
  readonly threatProtection: boolean;
  /** Where owners sign in, if that is known before the stack is made. */
  readonly consoleDomainName: string | undefined;
}

/** The owners of workspaces: who they are, and which workspace is theirs. */
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
      // Only an operator makes an owner: nobody can sign up for somebody else's workspace.
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      // A new address counts once it is verified; until then the old one signs in.
      keepOriginal: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      // This alone decides whose leads somebody sees. It is set when the owner is created, and never changed.
      customAttributes: {
        [WORKSPACE_ATTRIBUTE]: new StringAttribute({ mutable: false, minLen: 1, maxLen: 64 }),
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
    // A pool whose logical id changes is replaced by an empty one: every owner would be gone.
    (pool.node.defaultChild as CfnUserPool).overrideLogicalId('Owners');
    acknowledgePool(pool, threatProtection);
    return pool;
  }

  /** The console's client. It runs in a browser, so it has no secret. */
  private makeClient(stage: Stage): UserPoolClient {
    const client = new UserPoolClient(this, 'Client', {
      userPool: this.pool,
      generateSecret: false,
      // With SRP no password travels. The other flow is for operators: AWS asks for their credentials too.
      authFlows: { userSrp: true, adminUserPassword: true },
      disableOAuth: true,
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(30),
      enableTokenRevocation: true,
      preventUserExistenceErrors: true,
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true })
        .withCustomAttributes(WORKSPACE_ATTRIBUTE),
      // Named one by one: what is left out cannot be written with an owner's own token.
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
