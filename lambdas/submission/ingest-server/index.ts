import { ingestServerDependencies, makeIngestServer } from './handler.ts';

export const handler = makeIngestServer(ingestServerDependencies(process.env));
