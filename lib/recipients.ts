import { Validations } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { Sending } from './sending.ts';
import { ServiceFunction } from './service-function.ts';
import type { SettingsApi } from './settings-api.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';
import type { Throttle } from './throttles.ts';

export interface RecipientsProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** What a confirmed destination has waiting is sent by it. */
  readonly sending: Sending;
  readonly settingsApi: SettingsApi;
  readonly mailEvents: ConfigurationSet;
  readonly throttle: Throttle;
}

/** With any method, so that one throttle is for opening and using links together. */
const PATH = '/mail/{token}';

/** What the recipients of mail decide: the pages behind the links in mails, and the bounces and complaints of SES. */
export class Recipients extends Construct {
  constructor(scope: Construct, id: string, props: RecipientsProps) {
    super(scope, id);
    const { settingsApi, mailEvents, throttle } = props;
    const links = this.makeFunction(props);
    for (const route of settingsApi.addOpenRoute(PATH, [HttpMethod.ANY], links, throttle)) {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'Recipients of mail have no account: the link in the mail has a random token of 128 bits.',
      });
    }
    new Rule(this, 'Feedback', {
      description: 'Mails that bounced, and recipients who complained',
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Email Bounced', 'Email Complaint Received'],
        // The default bus has the events of every sender of the account.
        detail: { mail: { tags: { 'ses:configuration-set': [mailEvents.configurationSetName] } } },
      },
      targets: [new LambdaFunction(links.target)],
    });
  }

  private makeFunction({ stage, tables, sending }: RecipientsProps): ServiceFunction {
    const links = new ServiceFunction(this, 'Links', {
      stage,
      folder: 'recipient-links',
      description: 'The links in mails, by which recipients confirm and stop them, and what SES reports',
    });
    tables.grant(links, 'recipients', ['GetItem', 'PutItem']);
    tables.grant(links, 'destinations', ['GetItem', 'UpdateItem']);
    // Only the note that a workspace is to be watched for alerts, in the partition of these notes.
    tables.grant(links, 'stats', ['PutItem'], {
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['active'] },
    });
    sending.grantQueueTasks(links);
    return links;
  }
}
