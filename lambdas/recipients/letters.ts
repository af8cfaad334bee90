import { CONFIRM_WITHIN_DAYS, plainName } from './recipient.ts';

/** A mail in the service's own words, without its recipient. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Every mail can be stopped with one click in the mail program: https://www.rfc-editor.org/rfc/rfc8058 */
function stopHeaders(stopUrl: string) {
  return { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** A message to a confirmed recipient: who sends it, and how to stop it. */
export function messageLetter(
  { subject, text }: Pick<Letter, 'subject' | 'text'>,
  { workspaceName, stopUrl }: { readonly workspaceName: string; readonly stopUrl: string },
): Letter {
  const footer = [
    '-- ',
    `You get this email because the workspace "${plainName(workspaceName)}" sends its leads to this address.`,
    'To stop these emails, open this page:',
    stopUrl,
  ];
  return { subject, text: `${text}\n${footer.join('\n')}\n`, headers: stopHeaders(stopUrl) };
}

interface ConfirmationFacts {
  readonly workspaceName: string;
  readonly confirmUrl: string;
  readonly stopUrl: string;
}

/** The only mail to somebody who has not confirmed. Nothing in it comes from a lead. */
export function confirmationLetter({ workspaceName, confirmUrl, stopUrl }: ConfirmationFacts): Letter {
  const name = plainName(workspaceName);
  const lines = [
    `The workspace "${name}" wants to send an email to this address for each new lead.`,
    '',
    `If you expect this, confirm within ${CONFIRM_WITHIN_DAYS} days:`,
    confirmUrl,
    '',
    'If you do not expect this, ignore this email: nothing else will be sent.',
    'To never be asked again, open this page:',
    stopUrl,
  ];
  return {
    subject: `Confirm emails from ${name}`,
    text: `${lines.join('\n')}\n`,
    headers: stopHeaders(stopUrl),
  };
}
