import { makeWorkInTurn, workInTurnDependencies } from './handler.ts';

export const handler = makeWorkInTurn(workInTurnDependencies(process.env));
