import {
  type CfnDomainName,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { HostedZoneNames, OwnDomain } from './settings.ts';

export interface DomainRecordsProps {
  readonly name: string;
  readonly hostedZone: HostedZoneNames;
  readonly target: IAliasRecordTarget;
  /** Whether the target responds over IPv6 too. */
  readonly ipv6: boolean;
}

/** DNS records in Route 53 that point a custom domain to its target. */
export class DomainRecords extends Construct {
  constructor(scope: Construct, id: string, { name, hostedZone, target, ipv6 }: DomainRecordsProps) {
    super(scope, id);
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', {
      hostedZoneId: hostedZone.id,
      zoneName: hostedZone.name,
    });
    // With a trailing dot, else CDK treats it as a name within the zone.
    const record = { zone, recordName: `${name}.`, target: RecordTarget.fromAlias(target) };
    new ARecord(this, 'A', record);
    if (ipv6) new AaaaRecord(this, 'Aaaa', record);
  }
}

export interface IngestDomainProps {
  readonly api: RestApi;
  readonly domain: OwnDomain;
}

/**
 * The custom domain of the ingest API, without the stage in the path. API Gateway's own address keeps working: senders
 * may still use it, and the web ACL and the throttles belong to the stage behind both. Disabled, it would return 403,
 * which is neither of the two responses.
 */
export class IngestDomain extends Construct {
  /** What the DNS record must point to, if it is made elsewhere. */
  readonly target: string | undefined;
  readonly url: string;
  private readonly domainName: DomainName;

  constructor(
    scope: Construct,
    id: string,
    { api, domain: { name, certificateArn, hostedZone } }: IngestDomainProps,
  ) {
    super(scope, id);
    this.url = `https://${name}`;
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      // As the API itself: TLS 1.2 at least.
      securityPolicy: SecurityPolicy.TLS13_1_2_PQ_2025_09,
      endpointAccessMode: EndpointAccessMode.STRICT,
    });
    // DNS records point to this resource.
    (domainName.node.defaultChild as CfnDomainName).overrideLogicalId('IngestDomain');
    domainName.addBasePathMapping(api);
    this.domainName = domainName;
    this.target = hostedZone ? undefined : domainName.domainNameAliasDomainName;
    if (hostedZone) {
      // The API has no IPv6 address.
      new DomainRecords(this, 'Records', {
        name,
        hostedZone,
        target: new ApiGatewayDomain(domainName),
        ipv6: false,
      });
    }
  }

  /** Another API below a path. An API mapping: API Gateway takes no second base path mapping beside an empty one. */
  map(path: string, { deploymentStage }: RestApi): string {
    this.domainName.addApiMapping(deploymentStage, { basePath: path });
    return `${this.url}/${path}`;
  }
}
