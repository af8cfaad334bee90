import { fileURLToPath } from 'node:url';
import { Aws, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  type BehaviorOptions,
  CachePolicy,
  type CfnDistribution,
  Distribution,
  type DistributionProps,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  PriceClass,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { apiBehaviors } from './console-site/api-behavior.ts';
import { ConsoleDeployment } from './console-site/deployment.ts';
import { ConsoleHeaders, SdkHeaders } from './console-site/headers.ts';
import { SDK_FOLDER } from './console-site/sdk-files.ts';
import { SessionRoute } from './console-site/session-route.ts';
import { DomainRecords } from './custom-domain.ts';
import { ConsoleFirewall } from './firewall.ts';
import type { Owners } from './owners.ts';
import type { ConsoleFirewallSettings, OwnDomain } from './settings.ts';
import type { SettingsApi } from './settings-api.ts';
import type { Stage } from './stage.ts';
import { VERSION } from './version.ts';

export interface ConsoleSiteProps {
  readonly stage: Stage;
  readonly owners: Owners;
  readonly settingsApi: SettingsApi;
  /** The base URL that pages with the SDK send leads to. */
  readonly ingestUrl: string;
  readonly domain: OwnDomain | undefined;
  readonly firewall: ConsoleFirewallSettings;
}

const ROUTING = fileURLToPath(new URL('./console-site/routing.js', import.meta.url));
const INDEX = 'index.html';

/** The owners' console: its files and the settings API under one address (docs/decisions/0013-console-and-api-on-one-origin.md). */
export class ConsoleSite extends Construct {
  /** What the custom domain must point to, if its DNS record is made elsewhere. */
  readonly domainTarget: string | undefined;
  private readonly distribution: Distribution;
  private readonly domain: OwnDomain | undefined;

  constructor(scope: Construct, id: string, props: ConsoleSiteProps) {
    super(scope, id);
    const { stage, owners, settingsApi, ingestUrl, domain } = props;
    const webAclId = this.findWebAcl(props);
    this.domain = domain;
    const cognitoEndpoint = `https://cognito-idp.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    // CloudFront is global: the names that CDK generates would be the same in two regions.
    const name = `lead-ingest-console-${stage.name}-${Aws.REGION}`;
    const bucket = this.makeBucket(stage);
    new SessionRoute(this, 'Session', { stage, owners, settingsApi, cognitoEndpoint });
    const files = this.serveFiles(name, bucket, cognitoEndpoint);
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `The owners' console (${stage.name})`,
      defaultBehavior: files,
      additionalBehaviors: {
        ...apiBehaviors(this, { name, apiDomainName: settingsApi.domainName }),
        [`/${SDK_FOLDER}/*`]: this.serveSdk(name, files),
      },
      defaultRootObject: INDEX,
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableIpv6: true,
      // Only edges in North America and Europe. Owners elsewhere wait a little longer.
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(webAclId !== undefined && { webAclId }),
      ...(domain && this.ownName(domain)),
    });
    // Owners know its domain: a new distribution would have another one.
    (this.distribution.node.defaultChild as CfnDistribution).overrideLogicalId('Console');
    acknowledgeDistribution(this.distribution);
    if (webAclId === undefined) acknowledgeNoFirewall(this.distribution);
    if (domain) this.domainTarget = this.leadTo(domain);
    else acknowledgeOldTls(this.distribution);
    new ConsoleDeployment(this, 'Deployment', {
      stage,
      bucket,
      config: {
        stage: stage.name,
        version: VERSION,
        region: Aws.REGION,
        userPoolId: owners.userPoolId,
        userPoolClientId: owners.clientId,
        cognitoEndpoint,
        signIn: 'srp',
      },
      ingestUrl,
    });
  }

  /** Without a trailing slash. */
  get url(): string {
    return `https://${this.domain?.name ?? this.distribution.distributionDomainName}`;
  }

  private findWebAcl({ stage, firewall }: ConsoleSiteProps): string | undefined {
    const { isMade, requestsPerMinuteByAddress, webAclArn } = firewall;
    if (!isMade) return webAclArn;
    return new ConsoleFirewall(this, 'Firewall', { stage, requestsPerMinuteByAddress }).arnWherePossible();
  }

  private ownName({ name, certificateArn }: OwnDomain): Partial<DistributionProps> {
    return {
      domainNames: [name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  private leadTo({ name, hostedZone }: OwnDomain): string | undefined {
    if (!hostedZone) return this.distribution.distributionDomainName;
    const target = new CloudFrontTarget(this.distribution);
    new DomainRecords(this, 'Records', { name, hostedZone, target, ipv6: true });
    return undefined;
  }

  /** Everything in it can be rebuilt: it needs no versions, and in dev it is deleted with the stack. */
  private makeBucket(stage: Stage): Bucket {
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: stage.removalPolicy,
      // This adds a function that may empty the bucket. Not in prod, where the bucket is kept like everything else.
      autoDeleteObjects: !stage.keepsData,
    });
    (bucket.node.defaultChild as CfnBucket).overrideLogicalId('ConsoleFiles');
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'It holds files that anybody may fetch, and only CloudFront reads it: there is nothing to find out.',
    });
    return bucket;
  }

  private serveFiles(name: string, bucket: Bucket, cognitoEndpoint: string): BehaviorOptions {
    const routing = new EdgeFunction(this, 'Routing', {
      comment: "Every path of the console's is its one page",
      code: FunctionCode.fromFile({ filePath: ROUTING }),
      runtime: FunctionRuntime.JS_2_0,
    });
    return {
      // Without permission to list, S3 returns 403 for a missing file; with it, 404.
      origin: S3BucketOrigin.withOriginAccessControl(bucket, {
        originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: name }),
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: new ConsoleHeaders(this, 'Headers', {
        name,
        cognitoEndpoint,
        ownsSubdomains: this.domain === undefined,
      }),
      functionAssociations: [{ function: routing, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
    };
  }

  /** Without the routing: nothing here is a page of the console. */
  private serveSdk(name: string, { functionAssociations: _, ...files }: BehaviorOptions): BehaviorOptions {
    const ownsSubdomains = this.domain === undefined;
    const responseHeadersPolicy = new SdkHeaders(this, 'SdkHeaders', { name: `${name}-sdk`, ownsSubdomains });
    return { ...files, responseHeadersPolicy };
  }
}

function acknowledgeDistribution(distribution: Distribution): void {
  Validations.of(distribution).acknowledge(
    {
      id: '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      reason:
        'No request reaches the root of the bucket: it has a root object, and the routing names a file for it.',
    },
    { id: 'AwsSolutions-CFR1', reason: 'Owners may be in any country.' },
    {
      id: 'AwsSolutions-CFR3',
      reason:
        "Its log would hold owners' addresses, which are logged nowhere. The settings API logs each request.",
    },
  );
}

function acknowledgeNoFirewall(distribution: Distribution): void {
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR2',
    reason:
      'Set by the context key consoleFirewall, on in prod, because it has a monthly cost. The files are public, and the API requires a token.',
  });
}

function acknowledgeOldTls(distribution: Distribution): void {
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR4',
    reason:
      "With CloudFront's own certificate the floor is fixed at TLS 1.0. By context consoleDomainName it is 1.2.",
  });
}
