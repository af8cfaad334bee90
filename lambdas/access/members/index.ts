import { makeMembers, membersDependencies } from './handler.ts';

export const handler = makeMembers(membersDependencies(process.env));
