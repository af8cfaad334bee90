import { makeWatch, watchDependencies } from './handler.ts';

export const handler = makeWatch(watchDependencies(process.env));
