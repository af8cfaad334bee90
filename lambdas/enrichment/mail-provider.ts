import { isHostName } from './website.ts';

export interface MailExchange {
  readonly exchange: string;
  readonly priority: number;
}

const MOST_HOSTS = 10;

/**
 * What an MX answer is worth: host names only, each once, the preferred ones first, and not too many. Answers come from
 * whoever runs the domain, so they may hold anything. A single `.` says "no mail here" (RFC 7505) and leaves none.
 */
export function mailHostsOf(answer: readonly MailExchange[]): string[] {
  const hosts = answer
    .map(({ exchange, priority }) => ({ host: exchange.toLowerCase().replace(/\.$/, ''), priority }))
    .filter(({ host }) => isHostName(host))
    .sort((one, other) => one.priority - other.priority || (one.host < other.host ? -1 : 1));
  return [...new Set(hosts.map(({ host }) => host))].slice(0, MOST_HOSTS);
}

/** The end of a mail host's name, and who runs it. Hosts of free mail (gmail.com's own, outlook.com's) are others. */
const PROVIDERS: readonly (readonly [suffix: string, provider: string])[] = [
  ['aspmx.l.google.com', 'Google Workspace'],
  ['smtp.google.com', 'Google Workspace'],
  ['googlemail.com', 'Google Workspace'],
  ['mail.protection.outlook.com', 'Microsoft 365'],
  ['mx.microsoft', 'Microsoft 365'],
  ['zoho.com', 'Zoho Mail'],
  ['zoho.eu', 'Zoho Mail'],
  ['zoho.in', 'Zoho Mail'],
  ['zohomail.com', 'Zoho Mail'],
  ['messagingengine.com', 'Fastmail'],
  ['protonmail.ch', 'Proton Mail'],
  ['mail.icloud.com', 'iCloud Mail'],
  ['mx.yandex.net', 'Yandex 360'],
  ['mx.yandex.ru', 'Yandex 360'],
  ['emx.mail.ru', 'VK WorkSpace'],
  ['awsapps.com', 'Amazon WorkMail'],
  ['amazonaws.com', 'Amazon SES'],
  ['mimecast.com', 'Mimecast'],
  ['mimecast.co.za', 'Mimecast'],
  ['pphosted.com', 'Proofpoint'],
  ['ppe-hosted.com', 'Proofpoint'],
  ['barracudanetworks.com', 'Barracuda'],
  ['iphmx.com', 'Cisco Secure Email'],
  ['messagelabs.com', 'Symantec Email Security'],
  ['hornetsecurity.com', 'Hornetsecurity'],
  ['mail.ovh.net', 'OVHcloud'],
  ['ionos.com', 'IONOS'],
  ['ionos.de', 'IONOS'],
  ['kundenserver.de', 'IONOS'],
  ['1and1.com', 'IONOS'],
  ['mail.gandi.net', 'Gandi'],
  ['migadu.com', 'Migadu'],
  ['titan.email', 'Titan'],
  ['secureserver.net', 'GoDaddy'],
  ['emailsrvr.com', 'Rackspace'],
  ['registrar-servers.com', 'Namecheap'],
  ['privateemail.com', 'Namecheap'],
  ['mailbox.org', 'mailbox.org'],
  ['hostinger.com', 'Hostinger'],
  ['qiye.aliyun.com', 'Alibaba Mail'],
  ['exmail.qq.com', 'Tencent Exmail'],
  ['mxhichina.com', 'Alibaba Mail'],
];

/** Amazon's inbound hosts tell its two services apart in no suffix: `inbound-smtp.<region>.amazonaws.com` is both. */
const AMAZON_INBOUND = /^inbound-smtp\.[a-z0-9-]+\.amazonaws\.com$/;

/** By the most preferred host that is known. */
export function mailProviderOf(hosts: readonly string[]): string | undefined {
  for (const host of hosts) {
    const found = PROVIDERS.find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`));
    // Any machine on EC2 has a name under amazonaws.com.
    if (found && (found[0] !== 'amazonaws.com' || AMAZON_INBOUND.test(host))) return found[1];
  }
  return undefined;
}
