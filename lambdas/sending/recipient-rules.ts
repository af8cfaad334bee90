import { AdministrationError } from '../owner-api/errors.ts';
import { ASK_EVERY_MS, sameAddress } from '../recipients/recipient.ts';
import { confirmationOf, type Destination } from './destination.ts';

/** For each destination, in an hour. */
export const MAX_TESTS = 5;
export const MAX_TRIES = 20;
const WITHIN_MS = 60 * 60 * 1000;

/** What is stored about a test message. Also of webhooks: a test is a request to somebody's server. */
export function takeTest(destination: Destination, nowMilliseconds: number): Partial<Destination> {
  requireSending(destination);
  return { testedAt: takeOne(destination.testedAt, MAX_TESTS, 'tested', nowMilliseconds) };
}

/** What is stored when a waiting message is sent at once. */
export function takeTry(destination: Destination, nowMilliseconds: number): Partial<Destination> {
  requireSending(destination);
  return { triedAt: takeOne(destination.triedAt, MAX_TRIES, 'tried', nowMilliseconds) };
}

/** Otherwise the message would wait, and whoever asked for it too. */
function requireSending(destination: Destination): void {
  const { status } = destination;
  const confirmation = confirmationOf(destination);
  if (confirmation === 'stopped') throw stopped();
  if (status !== 'active') {
    throw new AdministrationError('conflict', `The destination is ${status}: resume it first.`);
  }
  if (confirmation === 'pending') {
    throw new AdministrationError('conflict', 'The recipient has not confirmed this email address yet.');
  }
}

function takeOne(before: readonly string[] = [], most: number, what: string, nowMilliseconds: number) {
  const recent = before.filter((at) => nowMilliseconds - Date.parse(at) < WITHIN_MS);
  if (recent.length >= most) {
    const message = `A destination can be ${what} ${most} times in an hour: try again later.`;
    throw new AdministrationError('limit_reached', message);
  }
  return [...recent, new Date(nowMilliseconds).toISOString()];
}

/**
 * One destination per address: twenty of them would be twenty mails for each lead. Checked before and after a write: of
 * two that are written at the same time, the later one sees the other.
 */
export function requireFreeAddress({ destinationId, email }: Destination, all: readonly Destination[]): void {
  if (email === undefined) return;
  const taken = all.some((other) => other.destinationId !== destinationId && sameAddress(other.email, email));
  if (!taken) return;
  const message = 'Another destination of this workspace sends to this email address: change that one.';
  throw new AdministrationError('conflict', message);
}

export function isNewAddress(seen: Destination, { email }: Pick<Destination, 'email'> = {}): boolean {
  return email !== undefined && !sameAddress(seen.email, email);
}

/** Another address has to be confirmed, whatever the old one's recipient decided. */
export function changesToRecipient(seen: Destination, changes: Partial<Destination>): Partial<Destination> {
  const isStopped = seen.confirmation === 'stopped';
  if (isNewAddress(seen, changes)) {
    const active = { status: 'active', disabledReason: undefined, disabledAt: undefined } as const;
    const nobodyAsked = { askedAt: undefined, askAgainAt: undefined, heldSince: undefined };
    return { ...(isStopped && active), ...changes, confirmation: 'pending', ...nobodyAsked };
  }
  // The same address in another spelling is not stored: what was confirmed and stopped is found by its first one.
  const { email: _email, ...others } = changes;
  if (isStopped && changes.status !== undefined) throw stopped();
  return others;
}

/** Whether the confirmation mail can be sent again. */
export function requireAskable(destination: Destination, nowMilliseconds: number): void {
  const confirmation = confirmationOf(destination);
  if (confirmation === undefined)
    throw new AdministrationError('conflict', 'Only email needs a confirmation.');
  if (confirmation === 'confirmed')
    throw new AdministrationError('conflict', 'The recipient has confirmed it.');
  if (confirmation === 'stopped') throw stopped();
  if (nowMilliseconds - Date.parse(destination.askedAt ?? '') < ASK_EVERY_MS) {
    const message = 'One confirmation email can be sent per address and day: try again tomorrow.';
    throw new AdministrationError('limit_reached', message);
  }
}

const stopped = () =>
  new AdministrationError(
    'conflict',
    'Nothing is sent to this address: the recipient stopped it, or the mail bounced. Only an operator can allow it again, if the recipient asks for it.',
  );
