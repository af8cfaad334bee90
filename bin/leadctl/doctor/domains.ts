import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { regionOf } from '#lib/context/kinds.ts';
import { counted } from '../print.ts';
import type { Aws } from './aws.ts';
import { fail, ok, skip, warn } from './check.ts';
import { asking, type Finding, unless } from './explain-error.ts';
import type { CertifiedName, DeploymentSettings } from './settings.ts';

/** CloudFront only accepts certificates from this region. */
export const CONSOLE_REGION = 'us-east-1';

const SOON_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Whether the certificate is issued, valid, for this name, and in the right region. */
export async function certificate(
  aws: Aws,
  { name, certificateArn }: CertifiedName,
  region: string,
  now: number,
): Promise<Finding> {
  const actual = regionOf(certificateArn);
  if (actual !== region) {
    return fail(
      `it is in ${actual}, but must be in ${region}`,
      `Request one there: aws acm request-certificate --region ${region} --domain-name ${name} --validation-method DNS`,
    );
  }
  const acm = new ACMClient(aws.config(region));
  const call = acm.send(new DescribeCertificateCommand({ CertificateArn: certificateArn }));
  const answer = await unless(['ResourceNotFoundException'], asking('acm:DescribeCertificate', call)).finally(
    () => acm.destroy(),
  );
  if (!answer?.Certificate) return fail(`not found in ACM in ${region}`, 'Check the ARN.');
  return judge(answer.Certificate, name, now);
}

function judge(detail: CertificateDetail, name: string, now: number): Finding {
  const { Status, NotAfter, Type } = detail;
  if (Status === 'PENDING_VALIDATION') {
    return fail(
      'it is not issued yet',
      'Create the DNS records that ACM requires, and wait: docs/deploy.md, Custom domains.',
    );
  }
  if (Status === 'EXPIRED' || (NotAfter && NotAfter.getTime() <= now)) {
    return fail('it has expired', 'Request or import a new one.');
  }
  if (Status !== 'ISSUED') return fail(`its status is ${Status}`, 'Request a new one.');
  const names = [detail.DomainName ?? '', ...(detail.SubjectAlternativeNames ?? [])];
  if (!names.some((each) => covers(each.toLowerCase(), name))) {
    return fail(
      `it is for ${[...new Set(names)].filter(Boolean).join(', ')}, not for ${name}`,
      `Request one for ${name}.`,
    );
  }
  // ACM renews the certificates that it issued.
  const days = NotAfter ? Math.floor((NotAfter.getTime() - now) / DAY_MS) : SOON_DAYS;
  if (Type === 'IMPORTED' && days < SOON_DAYS) {
    return warn(
      `it was imported and expires in ${counted(days, 'day')}`,
      'Import a new one: ACM does not renew imported certificates.',
    );
  }
  return ok(`issued, for ${name}`);
}

/** A wildcard matches exactly one label. */
function covers(pattern: string, name: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === name;
  return name.slice(name.indexOf('.') + 1) === pattern.slice(2);
}

export async function hostedZone(aws: Aws, settings: DeploymentSettings): Promise<Finding> {
  const { hostedZone: zone, ingestDomain, consoleDomain } = settings;
  if (!zone) return skip('hostedZoneId is not set');
  const outside = [ingestDomain, consoleDomain].find(
    (domain) => domain && domain.name !== zone.name && !domain.name.endsWith(`.${zone.name}`),
  );
  if (outside) {
    return fail(`${outside.name} is not in ${zone.name}`, 'Set the hosted zone of your domain, or none.');
  }
  const route53 = new Route53Client(aws.config());
  const call = asking('route53:GetHostedZone', route53.send(new GetHostedZoneCommand({ Id: zone.id })));
  const answer = await unless(['NoSuchHostedZone'], call).finally(() => route53.destroy());
  const lookUp = `Find the ID: aws route53 list-hosted-zones-by-name --dns-name ${zone.name}`;
  if (!answer?.HostedZone) return fail(`hosted zone ${zone.id} not found`, lookUp);
  const { Name = '', Config } = answer.HostedZone;
  const name = Name.replace(/\.$/, '');
  if (name !== zone.name) return fail(`${zone.id} is the zone of ${name}, not of ${zone.name}`, lookUp);
  if (Config?.PrivateZone) {
    return fail(`${zone.id} is private: senders could not resolve its names`, `Use a public zone. ${lookUp}`);
  }
  return ok(`${zone.id}, the public zone of ${name}`);
}
