import { type Addresses, toLocal } from '../addresses.ts';

/** In what the console on this machine differs from the one on AWS: this file is all of it. */

/** Cognito is elsewhere, and the local one knows no SRP: the password itself is sent, to this machine. */
export function localConfig(json: string, addresses: Addresses): string {
  const config = JSON.parse(json);
  return JSON.stringify({
    ...config,
    cognitoEndpoint: toLocal(config.cognitoEndpoint, addresses),
    signIn: 'password',
  });
}

/** What the page may talk to is where it is told to look for Cognito. */
export function localContentSecurityPolicy(policy: string, addresses: Addresses): string {
  return policy
    .split(' ')
    .map((word) => toLocal(word, addresses))
    .join(' ');
}

/** Without TLS there is nothing to insist on. Whoever minded it would be kept from everything else on this host. */
export const LEFT_OUT_HEADERS: ReadonlySet<string> = new Set(['StrictTransportSecurity']);
