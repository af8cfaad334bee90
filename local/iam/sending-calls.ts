import { LOCAL_ACCOUNT, LOCAL_REGION } from '../local-account.ts';
import type { Call } from './evaluate.ts';

/** What IAM must allow for an EventBridge request. */
export function eventBusCalls(
  operation: string,
  { Entries = [] }: { readonly Entries?: readonly { readonly EventBusName?: string }[] },
): Call[] {
  if (operation !== 'PutEvents') throw new Error(`the permissions of events:${operation} are not known`);
  const buses = new Set(Entries.map(({ EventBusName = 'default' }) => EventBusName));
  return [...buses].map((bus) => ({
    action: 'events:PutEvents',
    resource: bus.startsWith('arn:') ? bus : arn('events', `event-bus/${bus}`),
  }));
}

/** What IAM must allow for an SES request, as if the sender's address, not its domain, were verified. */
export function sesCalls(
  operation: string,
  { FromEmailAddress = '' }: { readonly FromEmailAddress?: string },
): Call[] {
  if (operation !== 'SendEmail') throw new Error(`the permissions of ses:${operation} are not known`);
  const address = /<([^<>]*)>$/.exec(FromEmailAddress)?.[1] ?? FromEmailAddress;
  return [
    {
      action: 'ses:SendEmail',
      resource: arn('ses', `identity/${address}`),
      context: { 'ses:FromAddress': address },
    },
  ];
}

const arn = (service: string, resource: string) =>
  `arn:aws:${service}:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${resource}`;
