import { makeRelearn, relearnDependencies } from './handler.ts';

export const handler = makeRelearn(relearnDependencies(process.env));
