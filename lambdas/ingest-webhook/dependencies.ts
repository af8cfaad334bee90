import { tablesFromEnvironment } from '../environment.ts';
import { runtimeDependencies } from '../runtime-dependencies.ts';
import { slugConfigurations } from '../stores/slug-configurations.ts';
import type { IngestWebhookDependencies } from './handler.ts';

const TABLES = [
  'workspaces',
  'forms',
  'formSecrets',
  'idempotency',
  'leads',
  'rejections',
  'unauthenticatedRejections',
  'diagnostics',
] as const;

export function ingestWebhookDependencies(env: NodeJS.ProcessEnv): IngestWebhookDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const { client, dependencies } = runtimeDependencies(tables);
  return { ...dependencies, slugs: slugConfigurations({ client, tables }) };
}
