import { enrichDependencies } from './dependencies.ts';
import { makeEnrich } from './handler.ts';

export const handler = makeEnrich(enrichDependencies(process.env));
