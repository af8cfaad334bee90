import {
  AaaaRecord,
  ARecord,
  HostedZone,
  type IAliasRecordTarget,
  RecordTarget,
} from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { HostedZoneNames } from './context.ts';

export interface DomainRecordsProps {
  readonly name: string;
  readonly hostedZone: HostedZoneNames;
  readonly target: IAliasRecordTarget;
  /** Whether the target answers over IPv6 too. */
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
