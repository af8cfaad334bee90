import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, type CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { BROWSER_VARIABLES } from '../lambdas/contract.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface BrowserSurfaceProps {
  readonly stage: Stage;
  readonly tables: Tables;
}

/** Far longer than functions keep the keys in memory. */
const ROTATION_DAYS = 7;
const KEY_CHARACTERS = 64;

/** Surface 2, a preview: takes leads from pages, which get a token just before they send. */
export class BrowserSurface extends Construct {
  readonly mint: ServiceFunction;
  readonly submission: ServiceFunction;
  private readonly keys: Secret;

  constructor(scope: Construct, id: string, { stage, tables }: BrowserSurfaceProps) {
    super(scope, id);
    this.keys = this.makeKeys(stage);
    this.rotateKeys(stage);

    this.mint = new ServiceFunction(this, 'Mint', {
      stage,
      folder: 'mint-token',
      description: 'Surface 2: mints tokens for pages, and answers preflight requests',
    });
    this.submission = new ServiceFunction(this, 'Submission', {
      stage,
      folder: 'browser-submission',
      description: 'Surface 2: takes leads from pages by token and origin',
    });
    for (const fn of [this.mint, this.submission]) this.grantReadKeys(fn);
    tables.grantFindFormsBySlug(this.submission);
    tables.grantPassGate(this.submission);
    tables.grantRememberResponses(this.submission);
    tables.grantStoreLeads(this.submission);
    tables.grantRecordUnauthenticated(this.submission);
  }

  /** Signs what lives for two minutes, so that it is deleted with the stack, at once and in every stage. */
  private makeKeys(stage: Stage): Secret {
    const keys = new Secret(this, 'Keys', {
      description: `Signs the tokens of pages that send leads (${stage.name})`,
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'current',
        passwordLength: KEY_CHARACTERS,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    (keys.node.defaultChild as CfnSecret).overrideLogicalId('BrowserKeys');
    return keys;
  }

  /** Not by CDK's own method, which allows the function to make random passwords for any secret. */
  private rotateKeys(stage: Stage): void {
    const rotation = new ServiceFunction(this, 'RotateKeys', {
      stage,
      folder: 'rotate-browser-keys',
      description: "Replaces the keys that sign browsers' tokens",
      timeout: Duration.seconds(30),
    });
    const { secretArn } = this.keys;
    rotation.allow(
      new PolicyStatement({
        actions: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
          (action) => `secretsmanager:${action}`,
        ),
        resources: [secretArn],
      }),
    );
    const permission = new CfnPermission(this, 'RotationPermission', {
      action: 'lambda:InvokeFunction',
      functionName: rotation.target.functionArn,
      principal: new ServicePrincipal('secretsmanager.amazonaws.com').service,
      sourceAccount: Aws.ACCOUNT_ID,
      sourceArn: secretArn,
    });
    new CfnRotationSchedule(this, 'Rotation', {
      secretId: secretArn,
      rotationLambdaArn: rotation.target.functionArn,
      rotationRules: { automaticallyAfterDays: ROTATION_DAYS },
    }).node.addDependency(permission);
  }

  private grantReadKeys(fn: ServiceFunction): void {
    const { secretArn } = this.keys;
    fn.setVariable(BROWSER_VARIABLES.keysSecretArn, secretArn);
    fn.allow(new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretArn] }));
  }
}
