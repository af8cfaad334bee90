/** Anything that looks like a token, a secret, a signature, a session or an email address. */
const SECRETS = [
  /ingt_[a-z]+_\w+/g,
  /whsec_\w+/g,
  /\b[0-9a-f]{64}\b/gi,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
];

/** A wrong deployment may echo what it was sent. None of that goes to the terminal or into the report. */
export function hideSecrets(text: string): string {
  return SECRETS.reduce((hidden, secret) => hidden.replace(secret, '…'), text);
}
