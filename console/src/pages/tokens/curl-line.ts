/** The address for tokens: that of a form's webhooks without the form. An archived form tells it too. */
export function tokenUrl(webhookUrl: string): string {
  return webhookUrl.slice(0, webhookUrl.lastIndexOf('/'));
}

/** Stands where a token belongs. */
export const PLACEHOLDER = 'YOUR_TOKEN';

/** Sends one lead, for a shell. */
export function curlLine(url: string, token: string): string {
  const body = JSON.stringify({ name: 'Ada Byron', email: 'ada.byron@example.com' });
  return [
    `curl -i ${quoted(url)}`,
    `  -H ${quoted(`Authorization: Bearer ${token}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(body)}`,
  ].join(' \\\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
