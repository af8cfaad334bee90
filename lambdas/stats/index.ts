import { statsDependencies } from './dependencies.ts';
import { makeStats } from './handler.ts';

export const handler = makeStats(statsDependencies(process.env));
