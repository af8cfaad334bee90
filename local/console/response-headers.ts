import { type Addresses, toLocal } from '../addresses.ts';
import type { Resource } from '../template.ts';

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
export const OMITTED_HEADERS: ReadonlySet<string> = new Set(['StrictTransportSecurity']);

export type Header = readonly [name: string, value: string];

interface Policy {
  readonly SecurityHeadersConfig?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly CustomHeadersConfig?: { readonly Items: readonly { Header: string; Value: string }[] };
}

/** How CloudFront writes each of its security headers. */
const SECURITY_HEADERS: Readonly<
  Record<string, (config: Readonly<Record<string, string>>, addresses: Addresses) => Header>
> = {
  ContentSecurityPolicy: ({ ContentSecurityPolicy = '' }, addresses) => [
    'content-security-policy',
    localContentSecurityPolicy(ContentSecurityPolicy, addresses),
  ],
  ContentTypeOptions: () => ['x-content-type-options', 'nosniff'],
  FrameOptions: ({ FrameOption = '' }) => ['x-frame-options', FrameOption],
  ReferrerPolicy: ({ ReferrerPolicy = '' }) => ['referrer-policy', ReferrerPolicy],
};

/** The headers that a response headers policy adds. */
export function readResponseHeaders(resource: Resource, addresses: Addresses): Header[] {
  const { SecurityHeadersConfig = {}, CustomHeadersConfig } = resource.required<Policy>(
    'ResponseHeadersPolicyConfig',
  );
  const security = Object.entries(SecurityHeadersConfig)
    .filter(([kind]) => !OMITTED_HEADERS.has(kind))
    .map(([kind, config]) => {
      const write = SECURITY_HEADERS[kind];
      if (write === undefined) throw new Error(`${resource.logicalId}: ${kind} is not served here`);
      return write(config, addresses);
    });
  const custom = (CustomHeadersConfig?.Items ?? []).map(
    (item): Header => [item.Header.toLowerCase(), item.Value],
  );
  return [...security, ...custom];
}
