import { ingestWebhookDependencies, makeIngestWebhook } from './handler.ts';

export const handler = makeIngestWebhook(ingestWebhookDependencies(process.env));
