import { makeRecipientLinksFunction, recipientLinksDependencies } from './handler.ts';

export const handler = makeRecipientLinksFunction(recipientLinksDependencies(process.env));
