import { Stack } from 'aws-cdk-lib';
import type { Stage as ApiStage } from 'aws-cdk-lib/aws-apigateway';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { OPAQUE_REJECTION } from '../../lambdas/contract.ts';

export interface IngestFirewallProps {
  readonly name: string;
  readonly apiStage: ApiStage;
}

/**
 * Bytes that a header announces, from 4,500,000 on: above that no function is reached, and above 10 MB API Gateway
 * answers 413 by itself, which no gateway response can change. By regular expression, since a size constraint would
 * compare the length of the header's text.
 */
export const ANNOUNCES_TOO_MUCH = '^0*([1-9][0-9]{7,}|[5-9][0-9]{6}|4[5-9][0-9]{5})$';

const REJECTION = 'rejection';

/**
 * What API Gateway itself would answer otherwise than with the one rejection. No managed rule groups: their limits on
 * bodies begin at 8 KB, and a lead may have 128. Smaller bodies that are too large get to the functions, so that their
 * owners see why they were rejected.
 */
export class IngestFirewall extends Construct {
  private readonly name: string;

  constructor(scope: Construct, id: string, { name, apiStage }: IngestFirewallProps) {
    super(scope, id);
    this.name = name;
    const acl = new CfnWebACL(this, 'Acl', {
      name,
      description: 'Answers bodies that are too large for API Gateway like every rejection',
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: {
        [REJECTION]: { contentType: 'APPLICATION_JSON', content: OPAQUE_REJECTION.body },
      },
      rules: [
        {
          name: 'announces-too-much',
          priority: 0,
          statement: {
            andStatement: {
              statements: [pathHolds('/api/v1/'), header('content-length', ANNOUNCES_TOO_MUCH)],
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: OPAQUE_REJECTION.statusCode,
                customResponseBodyKey: REJECTION,
              },
            },
          },
          visibilityConfig: countedAs(`${name}-announces-too-much`),
        },
      ],
      visibilityConfig: countedAs(name),
    });
    new CfnWebACLAssociation(this, 'Association', {
      webAclArn: acl.attrArn,
      resourceArn: Stack.of(this).formatArn({
        service: 'apigateway',
        account: '',
        resource: '/restapis',
        resourceName: `${apiStage.restApi.restApiId}/stages/${apiStage.stageName}`,
      }),
    });
  }

  /** By all of its rules together. WAF counts under the names that `countedAs` gives, not under those of the resources. */
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

const AS_SENT = [{ priority: 0, type: 'NONE' }];

/** Not at its beginning: the stage's name comes first, unless a custom domain hides it. */
function pathHolds(searchString: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: 'CONTAINS',
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

/** Counted, never sampled: a sample shows a request's headers, tokens among them. */
function countedAs(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false, metricName };
}
