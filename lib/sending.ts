import { Duration, Stack } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  INDEXES,
  QUEUE_VARIABLES,
  SENDING_METRICS,
  SENDING_VARIABLES,
  TABLE_VARIABLES,
} from '../lambdas/contract.ts';
import { allowQueue, followQueue, makeWorkQueue, RECEIVE } from './event-sources.ts';
import { serviceMetric } from './monitoring/service-metric.ts';
import { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { Tables } from './tables.ts';

export interface SendingProps {
  readonly stage: Stage;
  readonly tables: Tables;
  /** Whether lead events are also put on an event bus of the stack. */
  readonly eventBus: boolean;
  /** The sender of mail, an address or domain that SES has verified; without it there are no email destinations. */
  readonly mailFrom: string | undefined;
  /** How many functions may work at the same time, ten messages each. */
  readonly concurrency: SendingConcurrency;
}

export interface SendingConcurrency {
  readonly dispatch: number;
  readonly send: number;
  readonly slowLane: number;
}

const DISPATCH_TIMEOUT = Duration.seconds(15);
/** Below the minute after which an erasure is announced: a request with the lead has begun long before. */
const SEND_TIMEOUT = Duration.seconds(30);

export const SENDING_QUEUES = ['events', 'messages', 'slow messages'] as const;
export type SendingQueue = (typeof SENDING_QUEUES)[number];

/** From lead events to the owners' systems. The ingest path knows nothing of it. */
export class Sending extends Construct {
  readonly concurrency: SendingConcurrency;
  /** Where the relay announces lead events. */
  readonly events: Queue;
  readonly queue: Queue;
  /** For destinations that respond slowly, so that they delay no others. */
  readonly slowQueue: Queue;
  readonly deadLetters: Queue;
  readonly eventBus: EventBus | undefined;
  private readonly stage: Stage;
  private readonly send: ServiceFunction;
  /** Reports bounces and complaints to the account's default event bus. Undefined without a sender of mail. */
  readonly mailEvents: ConfigurationSet | undefined;

  constructor(scope: Construct, id: string, props: SendingProps) {
    super(scope, id);
    const { stage, tables } = props;
    this.stage = stage;
    this.concurrency = props.concurrency;
    this.eventBus = props.eventBus
      ? new EventBus(this, 'EventBus', { description: 'Lead events' })
      : undefined;
    const { queue: events, deadLetters } = makeWorkQueue(this, 'Events', {
      stage,
      timeout: DISPATCH_TIMEOUT,
      receives: 20,
    });
    this.events = events;
    this.deadLetters = deadLetters;
    const sendQueue = { stage, timeout: SEND_TIMEOUT, receives: 20, deadLetters };
    this.queue = makeWorkQueue(this, 'Messages', sendQueue).queue;
    this.slowQueue = makeWorkQueue(this, 'SlowMessages', sendQueue).queue;
    this.dispatchEvents(stage, tables, this.eventBus);
    this.send = this.sendMessages(props);
    this.mailEvents = props.mailFrom === undefined ? undefined : this.allowMail(this.send, props.mailFrom);
  }

  /** Lets a function put tasks on the queue: tests, replays and what a resumed destination has waiting. */
  grantQueueTasks(fn: ServiceFunction): void {
    allowQueue(fn, this.queue, ['SendMessage']);
    fn.setVariable(QUEUE_VARIABLES.sending, this.queue.queueUrl);
  }

  /** Lets messages link to the lead. */
  linkTo(consoleUrl: string): void {
    this.send.setVariable(SENDING_VARIABLES.consoleUrl, consoleUrl);
  }

  /** Lets mails link to the pages on which their recipients confirm and stop them. */
  linkRecipientsTo(settingsUrl: string): void {
    this.send.setVariable(SENDING_VARIABLES.linksUrl, settingsUrl);
  }

  /** How long the oldest event or message has been waiting. */
  metricQueueAge(of: SendingQueue, options?: MetricOptions): Metric {
    const queues = { events: this.events, messages: this.queue, 'slow messages': this.slowQueue };
    return queues[of].metricApproximateAgeOfOldestMessage({ statistic: 'Maximum', ...options });
  }

  metricDeadLetters(options?: MetricOptions): Metric {
    return this.deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', ...options });
  }

  /** Concurrent invocations of the send function: for both lanes, and the sweep. */
  metricConcurrency(options?: MetricOptions): Metric {
    return this.send.metricConcurrency(options);
  }

  metricCount(of: keyof typeof SENDING_METRICS, options?: MetricOptions): Metric {
    return serviceMetric(this.stage, SENDING_METRICS[of], {}, { statistic: 'Sum', ...options });
  }

  private dispatchEvents(stage: Stage, tables: Tables, bus: EventBus | undefined): void {
    const dispatch = new ServiceFunction(this, 'Dispatch', {
      stage,
      folder: 'dispatch',
      description: 'Makes one message per destination of each lead event',
      timeout: DISPATCH_TIMEOUT,
    });
    tables.grant(dispatch, 'destinations', ['Query']);
    this.grantQueueTasks(dispatch);
    if (bus) {
      dispatch.setVariable(SENDING_VARIABLES.eventBus, bus.eventBusName);
      dispatch.allow(new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }));
    }
    allowQueue(dispatch, this.events, RECEIVE);
    followQueue(dispatch, this.events, { batchSize: 10, maxConcurrency: this.concurrency.dispatch });
  }

  private sendMessages({ stage, tables, concurrency }: SendingProps): ServiceFunction {
    const send = new ServiceFunction(this, 'Send', {
      stage,
      folder: 'send',
      description: "Sends messages to the owners' destinations",
      timeout: SEND_TIMEOUT,
    });
    grantSendMessages(send, tables);
    this.grantQueueTasks(send);
    allowQueue(send, this.queue, RECEIVE);
    followQueue(send, this.queue, { batchSize: 10, maxConcurrency: concurrency.send });
    allowQueue(send, this.slowQueue, ['SendMessage', ...RECEIVE]);
    send.setVariable(QUEUE_VARIABLES.slowSending, this.slowQueue.queueUrl);
    followQueue(send, this.slowQueue, {
      id: 'SlowQueue',
      batchSize: 10,
      maxConcurrency: concurrency.slowLane,
    });
    new Rule(this, 'Sweep', {
      description: 'Looks for destinations with messages that are due',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(send.target)],
    });
    return send;
  }

  /**
   * As this sender only, to anybody. SES checks more resources than the sender's identity: in the sandbox also that of the
   * recipient, and the configuration set that the mail names or that the identity has as its default.
   */
  private allowMail(send: ServiceFunction, mailFrom: string): ConfigurationSet {
    const stack = Stack.of(this);
    const events = new ConfigurationSet(this, 'Mail');
    events.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'DefaultBus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    send.setVariable(SENDING_VARIABLES.mailFrom, mailFrom);
    send.setVariable(SENDING_VARIABLES.configurationSet, events.configurationSetName);
    send.allow(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: ['identity', 'configuration-set'].map((resource) =>
          stack.formatArn({ service: 'ses', resource, resourceName: '*' }),
        ),
        conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
      }),
      'SES checks identities and configuration sets that nobody knows at deployment; the condition names the sender.',
    );
    return events;
  }
}

/** Everything that decides about a message. The only reader of signing secrets and Slack URLs. */
function grantSendMessages(send: ServiceFunction, tables: Tables): void {
  tables.grant(send, 'destinations', ['BatchGetItem', 'Query', 'UpdateItem']);
  tables.grant(send, 'destinationSecrets', ['BatchGetItem']);
  send.allow(tables.secretsKeyStatement('read', 'destinationSecrets'));
  tables.grant(send, 'leads', ['BatchGetItem']);
  tables.grant(send, 'alerts', ['BatchGetItem']);
  send.setVariable(TABLE_VARIABLES.forms, tables.tableName('forms'));
  tables.grantQueryIndex(send, 'forms', INDEXES.formsByWorkspace);
  tables.grant(send, 'messages', ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem']);
  tables.grantQueryIndex(send, 'messages', INDEXES.messagesByDueTime);
  // Who wants mail, and what the workspace is called in it.
  tables.grant(send, 'recipients', ['BatchGetItem', 'PutItem', 'DeleteItem']);
  tables.grant(send, 'members', ['Query']);
  tables.grant(send, 'workspaces', ['GetItem']);
  tables.grantSeeRemoved(send);
}
