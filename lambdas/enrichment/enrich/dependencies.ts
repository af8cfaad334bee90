import { makeDocumentClient } from '../../aws/document-client.ts';
import { requireVariable, tablesFromEnvironment } from '../../aws/tables.ts';
import { ENRICHMENT_VARIABLES, QUEUE_VARIABLES } from '../../contract.ts';
import { makeEnrichments } from '../enrichments-store.ts';
import { type MailExchanges, makeMailExchanges } from '../mail-exchanges.ts';
import { type EnrichmentProvider, makeEnrichmentProvider } from '../provider-http.ts';
import { makeProviderKey, makeSecretReader } from '../provider-key-store.ts';
import { makeMessageVisibility } from '../queue-store.ts';
import type { EnrichDependencies } from './handler.ts';
import { makeEnrichmentTelemetry } from './telemetry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function enrichDependencies(env: Environment): EnrichDependencies {
  const tables = tablesFromEnvironment(env, ['leads']);
  return {
    enrichments: makeEnrichments({ client: makeDocumentClient(), tables }),
    mailExchanges: mailExchangesFrom(env),
    provider: providerFrom(env),
    visibility: makeMessageVisibility(requireVariable(env, QUEUE_VARIABLES.enrichment)),
    telemetry: makeEnrichmentTelemetry(Date.now),
    now: Date.now,
    random: Math.random,
  };
}

function mailExchangesFrom(env: Environment): MailExchanges {
  const servers = (env[ENRICHMENT_VARIABLES.dnsServers] ?? '')
    .split(',')
    .map((server) => server.trim())
    .filter(Boolean);
  try {
    return makeMailExchanges({ now: Date.now, servers });
  } catch {
    throw new Error(
      `${ENRICHMENT_VARIABLES.dnsServers} must be IP addresses, each with a port or without, separated by commas`,
    );
  }
}

/** Off unless a deployer names one. */
function providerFrom(env: Environment): EnrichmentProvider | undefined {
  const text = env[ENRICHMENT_VARIABLES.providerUrl];
  if (!text) return undefined;
  const url = URL.parse(text);
  if (!url || !isAllowed(url)) {
    throw new Error(`${ENRICHMENT_VARIABLES.providerUrl} must be an https address (http only on loopback)`);
  }
  const readSecret = makeSecretReader(requireVariable(env, ENRICHMENT_VARIABLES.providerSecretArn));
  return makeEnrichmentProvider({
    url: url.href,
    key: makeProviderKey({ now: Date.now, readSecret }),
    now: Date.now,
  });
}

/** Leads are personal data and the key is a secret: neither travels in the clear, except within one machine. */
function isAllowed({ protocol, hostname, username, password }: URL): boolean {
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isLoopback)) && !username && !password;
}
