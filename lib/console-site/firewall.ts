import { Aws, CfnCondition, Fn } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import { countedAs, rateRule } from '../web-acl-parts.ts';

export interface ConsoleFirewallProps {
  readonly stage: Stage;
  readonly requestsPerMinuteByAddress: number;
}

/** The only region in which AWS makes a web ACL for CloudFront. */
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
        // As the owners' API says it when its throttle is met.
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

  /** Its ARN if the stack's region allows one, else empty: the template is the same for every region. */
  arnWherePossible(): string {
    const condition = new CfnCondition(this, 'Possible', {
      expression: Fn.conditionEquals(Aws.REGION, FIREWALL_REGION),
    });
    this.acl.cfnOptions.condition = condition;
    return Fn.conditionIf(condition.logicalId, this.arn, Aws.NO_VALUE).toString();
  }
}
