import { MAX_NAME_LENGTH, nameFault } from '../model/display-name.ts';
import { InvalidField } from '../owner-api/errors.ts';
import {
  DESTINATION_EVENTS,
  type Destination,
  type DestinationKind,
  type DestinationStatus,
} from './destination.ts';
import { publicAddressOf, type ResolveName } from './outbound-http.ts';
import { AddressFault, isLoopbackUrl, parseDestinationUrl } from './public-address.ts';

/** What an owner chooses. */
export interface DestinationChoice {
  /** Of a webhook or of Slack. */
  readonly url?: string | undefined;
  /** The recipient of email. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly forms?: 'all' | readonly string[] | undefined;
  readonly onlyClean?: boolean | undefined;
  readonly includeFields?: boolean | undefined;
}

export interface NewDestination extends DestinationChoice {
  readonly kind: DestinationKind;
}

export interface DestinationChanges extends DestinationChoice {
  readonly status?: Exclude<DestinationStatus, 'disabled'> | undefined;
}

export interface DestinationChecks {
  readonly resolve: ResolveName;
  /** On a laptop only: `http://127.0.0.1` with any port. */
  readonly allowLoopback: boolean;
  readonly hasForm: (workspaceId: string, formId: string) => Promise<boolean>;
}

export const MAX_FORMS = 50;
const SLACK_HOST = 'hooks.slack.com';
const URL_END_LENGTH = 4;

/** The addresses that SES takes: ASCII, without quotes or comments. */
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
const MAX_EMAIL_LENGTH = 254;

/** Where messages go: what is stored of it, and what is kept apart as a secret. */
export interface CheckedAddress {
  readonly stored: Pick<Destination, 'url' | 'urlEnd' | 'email'>;
  readonly slackUrl?: string;
}

/** Undefined if none is given. */
export async function checkAddress(
  kind: DestinationKind,
  { url, email }: DestinationChoice,
  checks: Pick<DestinationChecks, 'resolve' | 'allowLoopback'>,
): Promise<CheckedAddress | undefined> {
  if (kind === 'email') {
    if (url !== undefined) throw new InvalidField('url', 'is for webhooks and Slack only');
    return email === undefined ? undefined : { stored: { email: checkEmail(email) } };
  }
  if (email !== undefined) throw new InvalidField('email', 'is for email destinations only');
  if (url === undefined) return undefined;
  try {
    const { href } = kind === 'slack' ? checkSlackUrl(url, checks) : await checkWebhookUrl(url, checks);
    return kind === 'slack'
      ? { stored: { urlEnd: href.slice(-URL_END_LENGTH) }, slackUrl: href }
      : { stored: { url: href } };
  } catch (error) {
    if (error instanceof AddressFault) throw new InvalidField('url', error.message);
    throw error;
  }
}

/** Sending checks the name again each time: it can point elsewhere by then. */
async function checkWebhookUrl(text: string, { resolve, allowLoopback }: AddressChecks): Promise<URL> {
  const url = parseDestinationUrl(text, { allowLoopback });
  if (isLoopbackUrl(url)) return url;
  await publicAddressOf(url.hostname, async (hostname) => {
    try {
      return await resolve(hostname);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
      throw new AddressFault('has a host name that cannot be resolved at the moment');
    }
  });
  return url;
}

type AddressChecks = Pick<DestinationChecks, 'resolve' | 'allowLoopback'>;

function checkSlackUrl(text: string, { allowLoopback }: AddressChecks): URL {
  const url = parseDestinationUrl(text, { allowLoopback });
  if (isLoopbackUrl(url) || (url.hostname === SLACK_HOST && url.pathname.length > URL_END_LENGTH)) return url;
  throw new AddressFault(`must be an incoming webhook of Slack, such as https://${SLACK_HOST}/services/…`);
}

export function isMailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text) && !/^\.|\.\.|\.@/.test(text);
}

function checkEmail(text: string): string {
  if (!isMailAddress(text)) throw new InvalidField('email', 'must be a valid email address');
  return text;
}

export function checkName(name: string): string {
  const trimmed = name.trim();
  const fault = nameFault(trimmed);
  if (fault !== undefined) throw new InvalidField('name', fault);
  return trimmed;
}

/** For an owner who gives no name. */
export function defaultName(kind: DestinationKind, { stored: { url, email } }: CheckedAddress): string {
  const name = url === undefined ? (email ?? 'Slack') : new URL(url).host;
  return kind === 'slack' ? 'Slack' : name.slice(0, MAX_NAME_LENGTH);
}

export function checkEvents(events: readonly string[]): Destination['events'] {
  const unknown = events.find((event) => !DESTINATION_EVENTS.some((known) => known === event));
  if (unknown !== undefined || events.length === 0) {
    throw new InvalidField('events', `must contain one or more of ${DESTINATION_EVENTS.join(', ')}`);
  }
  // In one order, and each once.
  return DESTINATION_EVENTS.filter((known) => events.includes(known));
}

export async function checkForms(
  workspaceId: string,
  forms: 'all' | readonly string[],
  { hasForm }: Pick<DestinationChecks, 'hasForm'>,
): Promise<Destination['forms']> {
  if (forms === 'all') return forms;
  const ids = [...new Set(forms)];
  if (ids.length < 1 || ids.length > MAX_FORMS) {
    throw new InvalidField('forms', `must be "all" or a list of 1 to ${MAX_FORMS} form ids`);
  }
  const exist = await Promise.all(ids.map((formId) => hasForm(workspaceId, formId)));
  if (exist.includes(false)) {
    throw new InvalidField('forms', 'must contain only ids of forms of this workspace');
  }
  return ids;
}
