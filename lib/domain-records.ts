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

/** Leads a deployer's own name to what serves it, in a zone of Route 53. */
export class DomainRecords extends Construct {
  constructor(scope: Construct, id: string, { name, hostedZone, target, ipv6 }: DomainRecordsProps) {
    super(scope, id);
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', {
      hostedZoneId: hostedZone.id,
      zoneName: hostedZone.name,
    });
    // With a dot at its end, or CDK takes it for a name within the zone.
    const record = { zone, recordName: `${name}.`, target: RecordTarget.fromAlias(target) };
    new ARecord(this, 'A', record);
    if (ipv6) new AaaaRecord(this, 'Aaaa', record);
  }
}
