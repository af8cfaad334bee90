import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { consoleCode } from '#assets';
import type { Stage } from '../stage.ts';
import { IMMUTABLE_SDK, SDK_SERVICE_FILE } from './sdk-files.ts';

export interface ConsoleDeploymentProps {
  readonly stage: Stage;
  readonly bucket: Bucket;
  /** The content of `config.json`: everything that differs between stages. */
  readonly config: Readonly<Record<string, string>>;
  /** The base URL that the SDK sends to. */
  readonly ingestUrl: string;
}

/** Files whose names contain a hash of their content, so they never change. Vite puts the console's into one folder. */
const IMMUTABLE = ['assets/*', IMMUTABLE_SDK];

/** Puts the built console into its bucket. */
export class ConsoleDeployment extends Construct {
  constructor(scope: Construct, id: string, props: ConsoleDeploymentProps) {
    super(scope, id);
    const { stage, bucket, config, ingestUrl } = props;
    const code = consoleCode(this, 'Code');
    const logGroup = new LogGroup(this, 'Logs', {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    const role = this.makeRole(logGroup, code, bucket);
    const common = { destinationBucket: bucket, role: role.withoutPolicyUpdates(), logGroup };
    const source = Source.bucket(code.bucket, code.s3ObjectKey);

    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      sources: [source],
      exclude: ['*'],
      include: IMMUTABLE,
      // Open pages of an earlier version still request the files of that version, and other sites name one of the SDK.
      prune: false,
      cacheControl: [
        CacheControl.setPublic(),
        CacheControl.maxAge(Duration.days(365)),
        CacheControl.immutable(),
      ],
    });
    const pages = new BucketDeployment(this, 'Pages', {
      ...common,
      sources: [
        source,
        Source.jsonData('config.json', config),
        Source.jsonData(SDK_SERVICE_FILE, { endpoint: ingestUrl }),
      ],
      exclude: IMMUTABLE,
      // Edges ask again after a second, so there is nothing to invalidate. CDK's handler would also wait for the
      // invalidation, whatever this is set to: CloudFormation hands it "false" as text.
      cacheControl: [CacheControl.noCache()],
    });
    // The page is deployed after the files that it refers to.
    pages.node.addDependency(assets);
    acknowledgeFunction(this);
  }

  /** Replaces CDK's own grants, which allow more than its function does. */
  private makeRole(logGroup: LogGroup, code: Asset, bucket: Bucket): Role {
    const statement = (actions: string[], resource: string) =>
      new PolicyStatement({ actions, resources: [resource] });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        CopyConsole: new PolicyDocument({
          statements: [
            statement(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
            statement(['s3:GetObject'], code.bucket.arnForObjects('*')),
            statement(['s3:ListBucket'], bucket.bucketArn),
            statement(['s3:PutObject', 's3:DeleteObject'], bucket.arnForObjects('*')),
          ],
        }),
      },
    });
    const { bootstrapQualifier } = Stack.of(this).synthesizer;
    const uploads = `cdk-${bootstrapQualifier}-assets-<AWS::AccountId>-<AWS::Region>`;
    Validations.of(role.node.defaultChild ?? role).acknowledge(
      {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${uploads}/*]`,
        reason:
          'Reads what CDK has uploaded. By its name alone a rollback could not read the version before it.',
      },
      {
        id: 'AwsSolutions-IAM5[Resource::<ConsoleFiles.Arn>/*]',
        reason:
          'Writes the files of the console, whatever their names, into a bucket that holds nothing else.',
      },
    );
    return role;
  }
}

/** CDK keeps one function for all deployments of a stack, beside them. */
function acknowledgeFunction(scope: Construct): void {
  const functions = Stack.of(scope).node.children.filter(({ node }) =>
    node.id.startsWith('Custom::CDKBucketDeployment'),
  );
  for (const each of functions) {
    Validations.of(each).acknowledge({
      id: 'AwsSolutions-L1',
      reason: "CDK's own function, on the version of Python that CDK tests it with.",
    });
  }
}
