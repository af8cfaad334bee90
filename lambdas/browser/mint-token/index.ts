import { makeMintToken, mintTokenDependencies } from './handler.ts';

export const handler = makeMintToken(mintTokenDependencies(process.env));
