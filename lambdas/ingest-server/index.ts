import { ingestServerDependencies } from './dependencies.ts';
import { makeIngestServer } from './handler.ts';

export const handler = makeIngestServer(ingestServerDependencies(process.env));
