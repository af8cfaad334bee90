import type { Addresses } from '../addresses.ts';
import type { Resource } from '../template.ts';
import { LEFT_OUT_HEADERS, localContentSecurityPolicy } from './differences.ts';

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
    .filter(([kind]) => !LEFT_OUT_HEADERS.has(kind))
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
