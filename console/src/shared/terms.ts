/** Terms that not everybody knows. The guide explains each under "Terms". */
export const TERMS = {
  clean:
    'A lead that is worth your time: it scores at least 40, and nothing in it proves that it is spam or a test. Your verdicts and your lists of senders come before the score. Only clean leads are enriched.',
  'ingest token':
    'Your own server or a tool sends it with each lead, to prove that the lead comes from you. It belongs to one form, and is also called server token. Keep it secret, and off web pages.',
  'received via':
    'How a lead arrived: by webhook, with a server token, from a provider or tool, or from a web page. In the API this is the surface.',
  origin:
    'An origin is the address of a website without a page: https://www.example.com, not https://www.example.com/contact.',
} as const;

export type TermName = keyof typeof TERMS;

/** Where the guide explains a term. The build makes the page of docs/console-guide.md. */
export function guideAddress(name: TermName): string {
  return `/guide.html#${name.replace(' ', '-')}`;
}
