import { ingestWebhookDependencies } from './dependencies.ts';
import { makeIngestWebhook } from './handler.ts';

export const handler = makeIngestWebhook(ingestWebhookDependencies(process.env));
