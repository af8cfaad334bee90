import type { Construct } from 'constructs';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

/** The functions of surfaces 1a and 1b, and of the path that they had before v1. */
export interface IngestFunctions {
  readonly server: ServiceFunction;
  readonly webhook: ServiceFunction;
  readonly retired: ServiceFunction;
}

/** Directly below the stack: their logical IDs are from before they had a file of their own. */
export function makeIngestFunctions(
  stack: Construct,
  { stage, tables }: { readonly stage: Stage; readonly tables: Tables },
): IngestFunctions {
  const server = new ServiceFunction(stack, 'IngestServer', {
    stage,
    folder: 'ingest-server',
    description: 'Surface 1a: takes leads from backends by Bearer token',
  });
  tables.grantLookUpTokens(server);
  tables.grantLookUpForms(server);

  const webhook = new ServiceFunction(stack, 'IngestWebhook', {
    stage,
    folder: 'ingest-webhook',
    description: 'Surface 1b: takes leads from webhook providers by signature',
  });
  tables.grantFindFormsBySlug(webhook);
  tables.grantFindSecretsBySlug(webhook);

  for (const ingest of [server, webhook]) {
    tables.grantPassGate(ingest);
    tables.grantRememberResponses(ingest);
    tables.grantStoreLeads(ingest);
    tables.grantRecordRejections(ingest);
    tables.grantNoteUse(ingest);
  }

  const retired = new ServiceFunction(stack, 'Retired', {
    stage,
    folder: 'retired',
    description: 'Answers the retired pre-v1 path with 410',
  });
  return { server, webhook, retired };
}
