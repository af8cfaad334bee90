import { indexLeadsDependencies, makeIndexLeads } from './handler.ts';

export const handler = makeIndexLeads(indexLeadsDependencies(process.env));
