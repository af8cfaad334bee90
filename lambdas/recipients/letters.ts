import { escapeHtml, mailPage, QUIET } from './mail-page.ts';
import { CONFIRM_WITHIN_DAYS, plainName } from './recipient.ts';

/** A mail in the service's own words, without its recipient. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a message says. Its HTML is the inside of a page. */
export type Message = Required<Pick<Letter, 'subject' | 'text' | 'html'>> & Pick<Letter, 'replyTo'>;

/** Every mail can be stopped with one click in the mail program: https://www.rfc-editor.org/rfc/rfc8058 */
function stopHeaders(stopUrl: string) {
  return { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** A message to a confirmed recipient: who sends it, and how to stop it. */
export function messageLetter(
  { subject, text, html, replyTo }: Message,
  { workspaceName, stopUrl }: { readonly workspaceName: string; readonly stopUrl: string },
): Letter {
  const why = `You get this email because the workspace "${plainName(workspaceName)}" sends its leads to this address.`;
  const footer = ['-- ', why, 'To stop these emails, open this page:', stopUrl];
  const stop = `<a href="${escapeHtml(stopUrl)}" class="quiet" style="${QUIET}">Stop these emails</a>`;
  return {
    subject,
    text: `${text}\n${footer.join('\n')}\n`,
    html: mailPage({ title: subject, content: html, footer: `${escapeHtml(why)}<br>${stop}` }),
    replyTo,
    headers: stopHeaders(stopUrl),
  };
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
