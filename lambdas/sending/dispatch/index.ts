import { dispatchDependencies, makeDispatch } from './handler.ts';

export const handler = makeDispatch(dispatchDependencies(process.env));
