import { bearerToken, hashToken } from '../core/ingest-token.ts';
import { judgeServerToken, type TokenConfiguration } from '../core/judge-server-token.ts';
import { type IngestDependencies, ingestPipeline } from '../ingest-pipeline.ts';
import type { ConfigurationSource } from '../stores/configuration-source.ts';

export interface IngestServerDependencies extends IngestDependencies {
  readonly tokens: ConfigurationSource<TokenConfiguration>;
}

/** Surface 1a: a backend with a Bearer token, whose leads go to the form that the token is bound to. */
export function makeIngestServer(dependencies: IngestServerDependencies) {
  return ingestPipeline(
    '1a',
    {
      source: dependencies.tokens,
      nothing: {},
      keyOf: ({ headers }) => hashToken(bearerToken(headers)),
      judge: judgeServerToken,
    },
    dependencies,
  );
}
