import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Code, Function as LambdaFunctionResource, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { LeadIngestStack } from 'lead-ingest-cdk';

export interface SalesStackProps extends StackProps {
  readonly leads: LeadIngestStack;
}

/** Reads a lead when an event on the bus names it: events have no personal data. */
const READ_LEAD = `
const { DynamoDBClient, GetItemCommand } = require('@aws-sdk/client-dynamodb');
const client = new DynamoDBClient();
exports.handler = async ({ detail }) => {
  const Key = { leadId: { S: detail.submissionId }, part: { S: 'lead' } };
  const { Item } = await client.send(new GetItemCommand({ TableName: process.env.LEADS_TABLE, Key }));
  console.log(JSON.stringify({ leadId: detail.submissionId, found: Item !== undefined }));
};`;

/** Passes on what an alarm says. Replace it by your own way to wake somebody. */
const PASS_ALARM_ON = `
exports.handler = async ({ Records }) => {
  for (const { Sns } of Records) console.log(Sns.Subject);
};`;

/** A stack of your own that uses the public properties of the service's stack. */
export class SalesStack extends Stack {
  constructor(scope: Construct, id: string, { leads, ...props }: SalesStackProps) {
    super(scope, id, props);
    const { eventBus, alarmTopic } = leads;
    if (!eventBus) throw new Error('This stack needs the property eventBus of LeadIngestStack.');

    const readLead = this.makeFunction('ReadLead', READ_LEAD);
    readLead.addEnvironment('LEADS_TABLE', leads.tables.leads.tableName);
    leads.tables.leads.grantReadData(readLead);
    new Rule(this, 'CleanLeads', {
      eventBus,
      eventPattern: { source: ['lead-ingest'], detailType: ['lead.accepted'], detail: { clean: [true] } },
      targets: [new LambdaFunction(readLead)],
    });

    alarmTopic?.addSubscription(new LambdaSubscription(this.makeFunction('PassAlarmOn', PASS_ALARM_ON)));
    new CfnOutput(this, 'SendLeadsTo', { value: leads.ingestUrl });
  }

  private makeFunction(id: string, code: string): LambdaFunctionResource {
    return new LambdaFunctionResource(this, id, {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromInline(code),
    });
  }
}
