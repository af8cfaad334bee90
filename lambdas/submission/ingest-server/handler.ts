import { tablesFromEnvironment } from '../../contract.ts';
import { hashToken } from '../../model/ingest-token.ts';
import { type ConfigurationSource, tokenConfigurations } from '../configuration-store.ts';
import { runtimeDependencies, WRITTEN_TABLES } from '../ingest-dependencies.ts';
import { type IngestDependencies, ingestPipeline } from '../pipeline.ts';
import { bearerToken, judgeServerToken, type TokenConfiguration } from '../server-token.ts';

export interface IngestServerDependencies extends IngestDependencies {
  readonly tokens: ConfigurationSource<TokenConfiguration>;
}

/** Surface 1a: a backend with a Bearer token, whose leads go to the form that the token is bound to. */
export function makeIngestServer(dependencies: IngestServerDependencies) {
  return ingestPipeline(
    '1a',
    {
      source: dependencies.tokens,
      emptyConfiguration: {},
      keyOf: ({ headers }) => hashToken(bearerToken(headers)),
      judge: (configuration, { headers }) =>
        judgeServerToken(configuration, { token: bearerToken(headers), surface: '1a' }),
    },
    dependencies,
  );
}

const TABLES = ['workspaces', 'tokens', 'forms', ...WRITTEN_TABLES] as const;

export function ingestServerDependencies(env: NodeJS.ProcessEnv): IngestServerDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const { client, dependencies } = runtimeDependencies(tables);
  return { ...dependencies, tokens: tokenConfigurations({ client, tables }) };
}
