import { makeSession, sessionDependencies } from './handler.ts';

export const handler = makeSession(sessionDependencies(process.env));
