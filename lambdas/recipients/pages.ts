import type { LinkPurpose } from './recipient.ts';

export interface Page {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Self-contained: no script, no request to anywhere, and the address with its token stays out of `Referer`. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
} as const;

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;color:#16191f}' +
  'button{font:inherit;padding:.5rem 1.25rem;border:0;border-radius:.25rem;background:#0b57d0;color:#fff;cursor:pointer}' +
  'h1{font-size:1.4rem}';

interface Content {
  readonly title: string;
  readonly lines: readonly string[];
  /** A form that posts to the page's own address. */
  readonly button?: string;
}

function page(statusCode: number, { title, lines, button }: Content): Page {
  const paragraphs = lines.map((line) => `<p>${line}</p>`).join('');
  const form = button === undefined ? '' : `<form method="post"><button>${button}</button></form>`;
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title>` +
    `<style>${STYLE}</style></head><body><main><h1>${title}</h1>${paragraphs}${form}</main></body></html>`;
  return { statusCode, headers: HEADERS, body };
}

const QUESTIONS: Readonly<Record<LinkPurpose, Content>> = {
  confirm: {
    title: 'Confirm emails to your address',
    lines: ['The workspace that is named in the email wants to send you an email for each new lead.'],
    button: 'Confirm',
  },
  stop: {
    title: 'Stop these emails',
    lines: ['The workspace that is named in the email will not send anything to your address any more.'],
    button: 'Stop',
  },
};

const RESPONSES: Readonly<Record<LinkPurpose, Content>> = {
  confirm: {
    title: 'Confirmed',
    lines: ['You will get these emails from now on. Each of them says how to stop them.'],
  },
  stop: {
    title: 'Stopped',
    lines: ['Nothing more will be sent to your address. You can close this page.'],
  },
};

/** Opening a link changes nothing: mail scanners open every link before the recipient does. */
export const questionPage = (purpose: LinkPurpose) => page(200, QUESTIONS[purpose]);

export const respondWithPage = (purpose: LinkPurpose) => page(200, RESPONSES[purpose]);

/** One page for wrong, expired and unknown links: it does not tell whether there was ever such a link. */
export const invalidPage = () =>
  page(404, {
    title: 'This link does not work any more',
    lines: [
      `Links to confirm work for 7 days. Ask the sender to send a new email.`,
      'If this link was to stop emails, use the one in the latest email.',
    ],
  });

/** The page if something failed: nothing was changed, so the same link works later. */
export const failurePage = () =>
  page(500, { title: 'Something went wrong', lines: ['Nothing was changed. Try again in a minute.'] });
