import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { regionOf } from '#lib/context/kinds.ts';
import type { Aws } from './aws.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';
import { asking, unless } from './explain-error.ts';
import type { CertifiedName, DeploymentSettings } from './settings.ts';

/** The only region from which CloudFront takes certificates. */
export const CONSOLE_REGION = 'us-east-1';

const SOON_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Issued, not expired, for that name, and in the region from which it can be used. */
export async function certificate(
  aws: Aws,
  { name, certificateArn }: CertifiedName,
  region: string,
  now: number,
): Promise<Finding> {
  const actual = regionOf(certificateArn);
  if (actual !== region) {
    return fail(
      `it is in ${actual}, but has to be in ${region}`,
      `Request one there: aws acm request-certificate --region ${region} --domain-name ${name} --validation-method DNS`,
    );
  }
  const acm = new ACMClient(aws.config(region));
  const call = acm.send(new DescribeCertificateCommand({ CertificateArn: certificateArn }));
  const answer = await unless(['ResourceNotFoundException'], asking('acm:DescribeCertificate', call)).finally(
    () => acm.destroy(),
  );
  if (!answer?.Certificate) return fail(`ACM has no such certificate in ${region}`, 'Check its ARN.');
  return judge(answer.Certificate, name, now);
}

function judge(detail: CertificateDetail, name: string, now: number): Finding {
  const { Status, NotAfter, Type } = detail;
  if (Status === 'PENDING_VALIDATION') {
    return fail(
      'it is not issued yet',
      'Make the DNS records that ACM asks for, and wait: docs/deploy.md, Names of your own.',
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
  // ACM renews its own certificates by itself.
  const days = NotAfter ? Math.floor((NotAfter.getTime() - now) / DAY_MS) : SOON_DAYS;
  if (Type === 'IMPORTED' && days < SOON_DAYS) {
    return warn(
      `it was imported and expires in ${days} days`,
      'Import its successor: ACM does not renew it.',
    );
  }
  return ok(`issued, for ${name}`);
}

/** A wildcard stands for exactly one label. */
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
    return fail(`${outside.name} is not in ${zone.name}`, 'Name the zone of your domain, or leave it out.');
  }
  const route53 = new Route53Client(aws.config());
  const call = asking('route53:GetHostedZone', route53.send(new GetHostedZoneCommand({ Id: zone.id })));
  const answer = await unless(['NoSuchHostedZone'], call).finally(() => route53.destroy());
  const lookUp = `Find the id: aws route53 list-hosted-zones-by-name --dns-name ${zone.name}`;
  if (!answer?.HostedZone) return fail(`there is no hosted zone ${zone.id}`, lookUp);
  const { Name = '', Config } = answer.HostedZone;
  const name = Name.replace(/\.$/, '');
  if (name !== zone.name) return fail(`${zone.id} is the zone of ${name}, not of ${zone.name}`, lookUp);
  if (Config?.PrivateZone) {
    return fail(
      `${zone.id} is private: senders could not resolve a name in it`,
      `Use a public zone. ${lookUp}`,
    );
  }
  return ok(`${zone.id}, the public zone of ${name}`);
}
