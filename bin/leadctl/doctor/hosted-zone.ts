import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import type { Aws } from './aws.ts';
import { asking, unless } from './explain-error.ts';
import { type Finding, fail, ok, skip } from './finding.ts';
import type { DeploymentSettings } from './settings.ts';

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
