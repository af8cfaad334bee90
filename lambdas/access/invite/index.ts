import { inviteDependencies, makeInvite } from './handler.ts';

export const handler = makeInvite(inviteDependencies(process.env));
