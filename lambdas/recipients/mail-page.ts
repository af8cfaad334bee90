/** Everything in a mail that is not markup of ours goes through this. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Of text that matters less. */
export const QUIET = 'color:#5f6b7a';

/** Where a mail program follows the system's dark mode. Others keep the colors in the elements, or change them themselves. */
const DARK = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) { .card { padding: 20px !important; border-radius: 0 !important; border-width: 0 0 1px !important; } .outer { padding: 0 !important; }
    .label, .value { display: block !important; width: auto !important; }
    .label { padding: 12px 0 0 !important; } .value { padding: 2px 0 12px !important; border-top: 0 !important; } }
  @media (prefers-color-scheme: dark) {
    .page { background: #0f141a !important; }
    .card { background: #1b232d !important; border-color: #2d3948 !important; }
    .text { color: #e9ebed !important; }
    .quiet { color: #a9b4c0 !important; }
    .line { border-color: #2d3948 !important; }
    .button { background: #539fe5 !important; color: #0f141a !important; } }
`;

interface MailPage {
  readonly title: string;
  /** HTML, like the footer. */
  readonly content: string;
  readonly footer: string;
}

/** A mail as a page: one card, readable on a phone, in light and in dark. Without images, which mail programs block. */
export function mailPage({ title, content, footer }: MailPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f3f5;${FONT}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f3f5">
<tr><td class="outer" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px">
<tr><td class="card" style="background:#ffffff;border:1px solid #d9dee5;border-radius:12px;padding:32px;text-align:left">
${content}
</td></tr>
<tr><td class="quiet" style="padding:16px 20px 24px;font-size:12px;line-height:18px;${QUIET};text-align:left">${footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
