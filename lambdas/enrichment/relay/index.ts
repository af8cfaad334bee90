import { makeRelay, relayDependencies } from './handler.ts';

export const handler = makeRelay(relayDependencies(process.env));
