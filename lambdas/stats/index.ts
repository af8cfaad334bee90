import { makeStats, statsDependencies } from './handler.ts';

export const handler = makeStats(statsDependencies(process.env));
