import { enrichDependencies, makeEnrich } from './handler.ts';

export const handler = makeEnrich(enrichDependencies(process.env));
