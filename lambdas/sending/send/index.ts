import { makeSend, sendDependencies } from './handler.ts';

export const handler = makeSend(sendDependencies(process.env));
