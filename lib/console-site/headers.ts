import { Duration } from 'aws-cdk-lib';
import {
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseHeadersPolicyProps,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

const override = true;

export interface ConsoleHeadersProps {
  readonly name: string;
  readonly cognitoEndpoint: string;
  /** False for a custom domain: its subdomains may be something else, without TLS. */
  readonly ownsSubdomains: boolean;
}

/** Pages may load their own files, and connect to this origin and to Cognito. */
export class ConsoleHeaders extends ResponseHeadersPolicy {
  constructor(scope: Construct, id: string, props: ConsoleHeadersProps) {
    super(scope, id, headers(props));
  }
}

function headers({ name, cognitoEndpoint, ownsSubdomains }: ConsoleHeadersProps): ResponseHeadersPolicyProps {
  return {
    responseHeadersPolicyName: name,
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(cognitoEndpoint), override },
      strictTransportSecurity: strictTransportSecurity(ownsSubdomains),
      contentTypeOptions: { override },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override },
      // Paths contain ids of forms and leads.
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
    },
    customHeadersBehavior: {
      customHeaders: [
        { header: 'Permissions-Policy', value: permissionsPolicy(), override },
        { header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override },
        { header: 'Cross-Origin-Resource-Policy', value: 'same-origin', override },
      ],
    },
  };
}

/** Pages of any site may load the SDK, also with an integrity hash, for which browsers require CORS. */
export class SdkHeaders extends ResponseHeadersPolicy {
  constructor(
    scope: Construct,
    id: string,
    { name, ownsSubdomains }: Pick<ConsoleHeadersProps, 'name' | 'ownsSubdomains'>,
  ) {
    super(scope, id, {
      responseHeadersPolicyName: name,
      corsBehavior: {
        accessControlAllowOrigins: ['*'],
        accessControlAllowMethods: ['GET', 'HEAD'],
        accessControlAllowHeaders: ['*'],
        accessControlAllowCredentials: false,
        originOverride: override,
      },
      securityHeadersBehavior: {
        // In case somebody opens one of these files as a page.
        contentSecurityPolicy: {
          contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
          override,
        },
        strictTransportSecurity: strictTransportSecurity(ownsSubdomains),
        contentTypeOptions: { override },
      },
      customHeadersBehavior: {
        customHeaders: [{ header: 'Cross-Origin-Resource-Policy', value: 'cross-origin', override }],
      },
    });
  }
}

function strictTransportSecurity(includeSubdomains: boolean) {
  return { accessControlMaxAge: Duration.days(365), includeSubdomains, override };
}

/**
 * Leads contain any text that strangers typed. If a page ever rendered it as markup, no script could run or send data.
 * Cloudscape sets styles through the CSSOM, which needs no 'unsafe-inline'.
 */
function contentSecurityPolicy(cognitoEndpoint: string): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': `'self' ${cognitoEndpoint}`,
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}

/** No device features except writing to the clipboard, for the copy buttons. */
function permissionsPolicy(): string {
  const denied = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'];
  return [...denied.map((feature) => `${feature}=()`), 'clipboard-write=(self)'].join(', ');
}
