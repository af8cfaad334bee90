import {
  type CfnDomainName,
  DomainName,
  EndpointAccessMode,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { OwnDomain } from '../context.ts';
import { DomainRecords } from '../domain-records.ts';

export interface IngestDomainProps {
  readonly api: RestApi;
  readonly domain: OwnDomain;
}

/**
 * The custom domain of the ingest API, without the stage in the path. API Gateway's own address keeps working: senders
 * may still use it, and the web ACL and the throttles belong to the stage behind both. Disabled, it would answer 403,
 * which is neither of the two answers.
 */
export class IngestDomain extends Construct {
  /** What the DNS record must point to. */
  readonly target: string;

  constructor(
    scope: Construct,
    id: string,
    { api, domain: { name, certificateArn, hostedZone } }: IngestDomainProps,
  ) {
    super(scope, id);
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
    this.target = domainName.domainNameAliasDomainName;
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
}
