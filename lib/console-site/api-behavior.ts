import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  OriginSslPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { SESSION_COOKIE } from '../../lambdas/contract.ts';
import { SESSION_PATH } from './session-route.ts';

export interface ApiBehaviorsProps {
  /** CloudFront is global: names must differ between stages and regions. */
  readonly name: string;
  readonly apiDomainName: string;
}

/** The paths of the console's origin that belong to the API. Only the session's gets the cookie with the refresh token. */
export function apiBehaviors(
  scope: Construct,
  { name, apiDomainName }: ApiBehaviorsProps,
): Record<string, BehaviorOptions> {
  const origin = new HttpOrigin(apiDomainName, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
  });
  const { none, allowList } = OriginRequestCookieBehavior;
  return {
    '/settings/*': forwardTo(origin, requests(scope, 'SettingsRequests', `${name}-settings`, none())),
    [SESSION_PATH]: forwardTo(
      origin,
      requests(scope, 'SessionRequests', `${name}-session`, allowList(SESSION_COOKIE)),
    ),
  };
}

function forwardTo(origin: IOrigin, originRequestPolicy: OriginRequestPolicy): BehaviorOptions {
  return {
    origin,
    // No redirect: a token sent in the clear gets no response.
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy,
  };
}

/** Everything, including the token, except the host, by which API Gateway finds the API, and other cookies. */
function requests(
  scope: Construct,
  id: string,
  originRequestPolicyName: string,
  cookieBehavior: OriginRequestCookieBehavior,
): OriginRequestPolicy {
  return new OriginRequestPolicy(scope, id, {
    originRequestPolicyName,
    headerBehavior: OriginRequestHeaderBehavior.denyList('host'),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    cookieBehavior,
  });
}
