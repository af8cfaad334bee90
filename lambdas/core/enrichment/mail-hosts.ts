import { isHostName } from './host-name.ts';

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
