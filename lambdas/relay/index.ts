import { relayDependencies } from './dependencies.ts';
import { makeRelay } from './handler.ts';

export const handler = makeRelay(relayDependencies(process.env));
