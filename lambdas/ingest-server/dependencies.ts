import { tablesFromEnvironment } from '../environment.ts';
import { runtimeDependencies } from '../runtime-dependencies.ts';
import { tokenConfigurations } from '../stores/token-configurations.ts';
import type { IngestServerDependencies } from './handler.ts';

const TABLES = [
  'workspaces',
  'tokens',
  'forms',
  'idempotency',
  'leads',
  'rejections',
  'unauthenticatedRejections',
  'diagnostics',
] as const;

export function ingestServerDependencies(env: NodeJS.ProcessEnv): IngestServerDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const { client, dependencies } = runtimeDependencies(tables);
  return { ...dependencies, tokens: tokenConfigurations({ client, tables }) };
}
