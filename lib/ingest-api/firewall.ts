import { Stack } from 'aws-cdk-lib';
import type { Stage as ApiStage } from 'aws-cdk-lib/aws-apigateway';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { OPAQUE_REJECTION } from '../../lambdas/contract.ts';
import type { IngestCeilings } from '../context.ts';
import { AS_SENT, countedAs, rateRule } from '../web-acl-parts.ts';

export interface IngestFirewallProps {
  readonly name: string;
  readonly apiStage: ApiStage;
  readonly ceilings: IngestCeilings;
}

/**
 * Bytes that a header announces, from 4,500,000 on: above that no function is reached, and above 10 MB API Gateway
 * answers 413 by itself, which no gateway response can change. By regular expression, since a size constraint would
 * compare the length of the header's text.
 */
export const ANNOUNCES_TOO_MUCH = '^0*([1-9][0-9]{7,}|[5-9][0-9]{6}|4[5-9][0-9]{5})$';

const REJECTION = 'rejection';

const REJECT: CfnWebACL.RuleActionProperty = {
  block: {
    customResponse: { responseCode: OPAQUE_REJECTION.statusCode, customResponseBodyKey: REJECTION },
  },
};

/**
 * Bounds what one address can send, and catches what API Gateway would not answer with the one rejection. No managed rule groups: their limits on
 * bodies begin at 8 KB, and a lead may have 128. Smaller bodies that are too large get to the functions, so that their
 * owners see why they were rejected.
 */
export class IngestFirewall extends Construct {
  private readonly name: string;

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
      rules: [
        {
          name: 'announces-too-much',
          priority: 0,
          statement: {
            andStatement: {
              statements: [pathContains('/api/v1/'), header('content-length', ANNOUNCES_TOO_MUCH)],
            },
          },
          action: REJECT,
          visibilityConfig: countedAs(`${name}-announces-too-much`),
        },
        {
          name: 'flood-of-one-path',
          priority: 1,
          statement: rateRule(ceilings.byAddressAndPath, { byPath: true, scope: notServerTokens() }),
          action: REJECT,
          visibilityConfig: countedAs(`${name}-flood-of-one-path`),
        },
        {
          name: 'flood-from-one-address',
          priority: 2,
          statement: rateRule(ceilings.byAddress),
          action: REJECT,
          visibilityConfig: countedAs(`${name}-flood-from-one-address`),
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

/** Not at its beginning: the stage's name comes first, unless a custom domain hides it. */
function pathContains(searchString: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint: 'CONTAINS',
      searchString,
      textTransformations: AS_SENT,
    },
  };
}

/**
 * Every path but that of server tokens, which all workspaces share: a relay may send for many of them from one
 * address. There the ceiling by address counts alone.
 */
function notServerTokens(): CfnWebACL.StatementProperty {
  return {
    notStatement: {
      statement: {
        byteMatchStatement: {
          fieldToMatch: { uriPath: {} },
          positionalConstraint: 'ENDS_WITH',
          searchString: '/api/v1/ingest',
          textTransformations: AS_SENT,
        },
      },
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
