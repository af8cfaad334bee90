import { Aws, CfnCondition, Fn, Stack } from 'aws-cdk-lib';
import type { Stage as ApiStage } from 'aws-cdk-lib/aws-apigateway';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { OPAQUE_REJECTION, REPEATABLE_REJECTION } from '../lambdas/contract.ts';
import type { IngestCeilings } from './settings.ts';
import type { Stage } from './stage.ts';

/** WAF's shortest window: it detects floods soonest, and forgets legitimate bursts soonest. */
const WINDOW_SECONDS = 60;

export const AS_SENT = [{ priority: 0, type: 'NONE' }];

export interface RateScope {
  /** Counts each path of an address separately. */
  readonly byPath?: boolean;
  /** Which requests count. */
  readonly scope?: CfnWebACL.StatementProperty;
}

/** Requests from one address above this rate per minute. WAF estimates the rate, and may take half a minute to react. */
export function rateRule(
  requestsPerMinute: number,
  { byPath = false, scope }: RateScope = {},
): CfnWebACL.StatementProperty {
  return {
    rateBasedStatement: {
      limit: requestsPerMinute,
      evaluationWindowSec: WINDOW_SECONDS,
      ...(byPath
        ? {
            aggregateKeyType: 'CUSTOM_KEYS',
            customKeys: [{ ip: {} }, { uriPath: { textTransformations: AS_SENT } }],
          }
        : { aggregateKeyType: 'IP' }),
      ...(scope && { scopeDownStatement: scope }),
    },
  };
}

/** Counted, never sampled: samples show request headers, including tokens. */
export function countedAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false, metricName };
}

export interface ConsoleFirewallProps {
  readonly stage: Stage;
  readonly requestsPerMinuteByAddress: number;
}

/** The only region for web ACLs of CloudFront. */
export const FIREWALL_REGION = 'us-east-1';

const TOO_MANY = 'too-many-requests';

/**
 * Bounds what one address can fetch from the console, files and owners' API alike. CloudFormation names it: the web
 * ACLs of all regions are in one.
 */
export class ConsoleFirewall extends Construct {
  private readonly acl: CfnWebACL;

  constructor(scope: Construct, id: string, { stage, requestsPerMinuteByAddress }: ConsoleFirewallProps) {
    super(scope, id);
    const name = `lead-ingest-console-${stage.name}`;
    this.acl = new CfnWebACL(this, 'Acl', {
      description: `Bounds what one address can fetch from the console, stage ${stage.name}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      customResponseBodies: {
        // Like the owners' API when it throttles.
        [TOO_MANY]: { contentType: 'APPLICATION_JSON', content: '{"message":"Too Many Requests"}' },
      },
      rules: [
        {
          name: 'flood-from-one-address',
          priority: 0,
          statement: rateRule(requestsPerMinuteByAddress),
          action: {
            block: { customResponse: { responseCode: 429, customResponseBodyKey: TOO_MANY } },
          },
          visibilityConfig: countedAs(`${name}-flood-from-one-address`),
        },
      ],
      visibilityConfig: countedAs(name),
    });
  }

  get arn(): string {
    return this.acl.attrArn;
  }

  /** Its ARN, or empty in a region that does not allow it: the template is the same for every region. */
  arnWherePossible(): string {
    const condition = new CfnCondition(this, 'Possible', {
      expression: Fn.conditionEquals(Aws.REGION, FIREWALL_REGION),
    });
    this.acl.cfnOptions.condition = condition;
    return Fn.conditionIf(condition.logicalId, this.arn, Aws.NO_VALUE).toString();
  }
}

export interface IngestFirewallProps {
  readonly name: string;
  readonly apiStage: ApiStage;
  readonly ceilings: IngestCeilings;
}

/**
 * A Content-Length of 4,500,000 bytes or more: above that no function is reached, and above 10 MB API Gateway
 * returns 413 by itself, which no gateway response can change. By regular expression, since a size constraint would
 * compare the length of the header's text.
 */
export const BODY_TOO_LARGE = '^0*([1-9][0-9]{7,}|[5-9][0-9]{6}|4[5-9][0-9]{5})$';

/** Anybody can get a browser's token. An office behind one address sends far fewer leads than this. */
const PAGE_REQUESTS_PER_MINUTE = 300;

const REJECTION = 'rejection';

const reject = ({ statusCode }: { readonly statusCode: number }): CfnWebACL.RuleActionProperty => ({
  block: { customResponse: { responseCode: statusCode, customResponseBodyKey: REJECTION } },
});

/**
 * Limits what one address can send, and responds like any rejection where API Gateway would not. No managed rule groups:
 * they limit bodies to 8 KB, and a lead may have 128 KB. Other bodies that are too large reach the functions, so that
 * owners see why they were rejected.
 */
export class IngestFirewall extends Construct {
  private readonly name: string;
  private readonly arn: string;

  constructor(scope: Construct, id: string, { name, apiStage, ceilings }: IngestFirewallProps) {
    super(scope, id);
    this.name = name;
    const acl = new CfnWebACL(this, 'Acl', {
      name,
      description: 'Answers floods, and bodies that are too large for API Gateway, like every rejection',
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: {
        [REJECTION]: { contentType: 'APPLICATION_JSON', content: OPAQUE_REJECTION.body },
      },
      rules: rules(name, ceilings),
      visibilityConfig: countedAs(name),
    });
    this.arn = acl.attrArn;
    this.guard('Association', apiStage);
  }

  /** The rules know the paths of every API that is guarded. */
  guard(id: string, { restApi, stageName }: ApiStage): void {
    new CfnWebACLAssociation(this, id, {
      webAclArn: this.arn,
      resourceArn: Stack.of(this).formatArn({
        service: 'apigateway',
        account: '',
        resource: '/restapis',
        resourceName: `${restApi.restApiId}/stages/${stageName}`,
      }),
    });
  }

  /** Blocked by any of its rules. WAF's metrics have the names from `countedAs`, not those of the resources. */
  metricBlocked(options?: MetricOptions): Metric {
    return new Metric({
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensionsMap: { WebACL: this.name, Rule: 'ALL', Region: Stack.of(this).region },
      statistic: 'Sum',
      ...options,
    });
  }
}

/**
 * A rule per kind of flood, and again for the paths of Surface 1c, whose senders must repeat what was blocked. Each
 * counts its own paths only: no request can be blocked with the response of another API.
 */
function rules(name: string, { byAddress, byAddressAndPath }: IngestCeilings): CfnWebACL.RuleProperty[] {
  const ofSources = path('/sources/v1');
  const ofOthers = not(ofSources);
  // All workspaces share this path, and a relay may send for many from one address: only that limit applies to it.
  const ofServerTokens = path('/api/v1/ingest', 'ENDS_WITH');
  const tooLarge = header('content-length', BODY_TOO_LARGE);
  const statements: readonly (readonly [
    string,
    CfnWebACL.StatementProperty,
    { readonly statusCode: number },
  ])[] = [
    ['body-too-large', all(path('/api/v1/'), tooLarge), OPAQUE_REJECTION],
    [
      'flood-of-one-path',
      rateRule(byAddressAndPath, { byPath: true, scope: all(ofOthers, not(ofServerTokens)) }),
      OPAQUE_REJECTION,
    ],
    ['flood-from-one-address', rateRule(byAddress, { scope: ofOthers }), OPAQUE_REJECTION],
    [
      'flood-of-pages',
      rateRule(PAGE_REQUESTS_PER_MINUTE, { scope: path('/api/v1/browser/') }),
      OPAQUE_REJECTION,
    ],
    ['source-body-too-large', all(ofSources, tooLarge), REPEATABLE_REJECTION],
    [
      'flood-of-one-source',
      rateRule(byAddressAndPath, { byPath: true, scope: path('/sources/v1/') }),
      REPEATABLE_REJECTION,
    ],
    ['flood-of-sources', rateRule(byAddress, { scope: ofSources }), REPEATABLE_REJECTION],
  ];
  return statements.map(([rule, statement, rejection], priority) => ({
    name: rule,
    priority,
    statement,
    action: reject(rejection),
    visibilityConfig: countedAs(`${name}-${rule}`),
  }));
}

const all = (...statements: CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty => ({
  andStatement: { statements },
});

const not = (statement: CfnWebACL.StatementProperty): CfnWebACL.StatementProperty => ({
  notStatement: { statement },
});

/** Not at the start of the path: the stage's name comes first, or the path of a custom domain. */
function path(searchString: string, positionalConstraint = 'CONTAINS'): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint,
      searchString,
      textTransformations: AS_SENT,
    },
  };
}

function header(name: string, regexString: string): CfnWebACL.StatementProperty {
  return {
    regexMatchStatement: {
      fieldToMatch: { singleHeader: { Name: name } },
      regexString,
      textTransformations: AS_SENT,
    },
  };
}
