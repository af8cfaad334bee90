import { authorizeDependencies, makeAuthorize } from './handler.ts';

export const handler = makeAuthorize(authorizeDependencies(process.env));
