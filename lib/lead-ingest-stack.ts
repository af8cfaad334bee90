import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import type { IRestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { OUTPUTS, type TableKey } from '../lambdas/contract.ts';
import { Access } from './access.ts';
import { Alerts } from './alerts.ts';
import { BrowserSurface } from './browser-surface.ts';
import { ConsoleSite } from './console-site.ts';
import { settingsOf, stackPropsOf } from './context/from-props.ts';
import { OWN_TAGS } from './context/kinds.ts';
import { Enrichment } from './enrichment.ts';
import { pinFeatureFlags } from './feature-flags.ts';
import { GradualDeployment } from './gradual-deployment.ts';
import { InTurn } from './in-turn.ts';
import { IngestApi } from './ingest-api.ts';
import { makeIngestFunctions } from './ingest-functions.ts';
import { LeadStats } from './lead-stats.ts';
import { Learning } from './learning.ts';
import { Monitoring } from './monitoring.ts';
import { OperatorPolicies } from './operator-policies.ts';
import { Owners } from './owners.ts';
import { queuesOf } from './queues.ts';
import { Recipients } from './recipients.ts';
import { RejectionRecorder } from './rejection-recorder.ts';
import { Search } from './search.ts';
import { Sending } from './sending.ts';
import { ServiceFunction } from './service-function.ts';
import { SettingsApi } from './settings-api.ts';
import { SourcesApi } from './sources-api.ts';
import type { LeadIngestQueues, LeadIngestStackProps } from './stack-props.ts';
import { Tables } from './tables.ts';
import { splitThrottles } from './throttles.ts';
import { VERSION } from './version.ts';

/** The whole service, for any CDK app: docs/cdk-package.md. Wiring only, in the order in which data flows. */
export class LeadIngestStack extends Stack {
  /** By name. Those with secrets are encrypted with KMS keys of the stack, which no grant of a table includes. */
  readonly tables: Readonly<Record<TableKey, ITableV2>>;
  readonly queues: LeadIngestQueues;
  /** Gets every lead event, without personal data. Undefined unless the property `eventBus` is true. */
  readonly eventBus: IEventBus | undefined;
  /** Where alarms are announced. Undefined if the property `alarms` is false. */
  readonly alarmTopic: ITopic | undefined;
  /** Surfaces 1a and 1b, and that of browsers. */
  readonly ingestApi: IRestApi;
  /** Surface 1c. */
  readonly sourcesApi: IRestApi;
  /** The owners' API. */
  readonly settingsApi: IHttpApi;
  /** `{base_url}` of the ingest endpoints, without a trailing slash, like all addresses here. */
  readonly ingestUrl: string;
  readonly sourcesUrl: string;
  readonly settingsUrl: string;
  /** Undefined if the property `console` is false. */
  readonly consoleUrl: string | undefined;

  constructor(scope: Construct, id: string, props: LeadIngestStackProps) {
    const description = `Lead ingestion service ${VERSION} (${props.stage})`;
    super(scope, id, { ...stackPropsOf(props), description });
    pinFeatureFlags(this.node);
    const settings = settingsOf(props, this.region);
    const { stage, manageApiGatewayAccount, enrichmentProvider, ownerThreatProtection } = settings;
    const { ingestFirewall, ingestDomain, consoleDomain, concurrency } = settings;
    this.terminationProtection = stage.keepsData;
    const tags = { ...settings.tags, [OWN_TAGS.service]: 'lead-ingest', [OWN_TAGS.stage]: stage.name };
    for (const [key, value] of Object.entries(tags)) Tags.of(this).add(key, value);

    const tables = new Tables(this, 'Tables', stage);
    const throttles = splitThrottles(settings.apiRequestsPerSecond);
    const ingest = makeIngestFunctions(this, { stage, tables });
    const browser = new BrowserSurface(this, 'Browser', { stage, tables });

    const api = new IngestApi(this, 'IngestApi', {
      stage,
      manageApiGatewayAccount,
      ...ingest,
      browser,
      ceilings: ingestFirewall ? settings.ingestCeilings : undefined,
      throttles,
      domain: ingestDomain,
    });

    const sourcesApi = new SourcesApi(this, 'Sources', { stage, tables, ingestApi: api, throttles });

    const recorder = new RejectionRecorder(this, 'RejectionRecorder', { stage, tables });

    const sending = new Sending(this, 'Sending', {
      stage,
      tables,
      eventBus: settings.eventBus,
      mailFrom: settings.mailFrom,
      concurrency,
    });
    const search = new Search(this, 'Search', {
      stage,
      tables,
      deadLetters: sending.deadLetters,
      concurrency: concurrency.index,
    });
    const learning = new Learning(this, 'Learning', { stage, tables, deadLetters: sending.deadLetters });
    const enrichment = new Enrichment(this, 'Enrichment', {
      stage,
      tables,
      provider: enrichmentProvider,
      concurrency: concurrency.enrichment,
      events: sending.events,
      index: search.queue,
      learning: learning.queue,
    });
    const leadStats = new LeadStats(this, 'LeadStats', { stage, tables });
    const alerts = new Alerts(this, 'Alerts', { stage, tables, events: sending.events });

    const owners = new Owners(this, 'Owners', {
      stage,
      threatProtection: ownerThreatProtection,
      consoleDomainName: consoleDomain?.name,
    });
    const access = new Access(this, 'Access', { stage, tables, owners });
    const settingsApi = new SettingsApi(this, 'SettingsApi', {
      stage,
      tables,
      access,
      ingestUrl: api.url,
      sourcesUrl: sourcesApi.url,
      sending,
      search,
      learning,
      relayName: enrichment.relayName,
      mailFrom: settings.mailFrom,
      throttle: throttles.owners,
    });
    if (sending.mailEvents) {
      sending.linkRecipientsTo(settingsApi.url);
      const { mailEvents } = sending;
      const throttle = throttles.mailLinks;
      new Recipients(this, 'Recipients', { stage, tables, sending, settingsApi, mailEvents, throttle });
    }
    const consoleSite = settings.console
      ? new ConsoleSite(this, 'ConsoleSite', {
          stage,
          owners,
          settingsApi,
          ingestUrl: api.url,
          domain: consoleDomain,
          firewall: settings.consoleFirewall,
        })
      : undefined;

    if (consoleSite) sending.linkTo(consoleSite.url);

    const operators = new OperatorPolicies(this, 'Operators', {
      stage,
      tables,
      enrichment,
      sending,
      search,
      learning,
      owners,
      ingestDomain,
      consoleDomain,
      mailFrom: settings.mailFrom,
    });

    if (settings.smallAccount) {
      new InTurn(this, 'InTurn', { stage, tables, functions: ServiceFunction.allBelow(this) });
    }

    // Last, because they use everything above.
    const functions = ServiceFunction.allBelow(this);
    const monitoring = new Monitoring(this, 'Monitoring', {
      stage,
      tables,
      ingestApi: api,
      sourcesApi,
      recorder,
      enrichment,
      sending,
      search,
      learning,
      leadStats,
      alerts,
      settingsApi,
      functions,
      hasAlarms: settings.alarms,
      hasDashboard: settings.dashboard,
      alarmEmail: settings.alarmEmail,
    });
    if (stage.deploysGradually) {
      const despiteAlarms = settings.deployDespiteAlarms;
      new GradualDeployment(this, 'GradualDeployment', { functions, monitoring, despiteAlarms });
    }

    this.tables = tables.all;
    this.queues = queuesOf({ enrichment, sending, search, learning });
    this.eventBus = sending.eventBus;
    this.alarmTopic = monitoring.alarmTopic;
    this.ingestApi = api.api;
    this.sourcesApi = sourcesApi.api;
    this.settingsApi = settingsApi.api;
    this.ingestUrl = api.url;
    this.sourcesUrl = sourcesApi.url;
    this.settingsUrl = settingsApi.url;
    this.consoleUrl = consoleSite?.url;

    const output = (name: string, value: string | undefined, description?: string) => {
      if (value) new CfnOutput(this, name, { value, ...(description && { description }) });
    };
    const cname = (name: string | undefined) => `Make a CNAME record for ${name} that points here`;
    output(OUTPUTS.stage, stage.name);
    output(OUTPUTS.version, VERSION);
    output(OUTPUTS.region, this.region);
    output(OUTPUTS.ingestUrl, api.url, '{base_url} of both endpoints');
    output(OUTPUTS.sourcesUrl, sourcesApi.url, 'Of Surface 1c');
    output(OUTPUTS.settingsUrl, settingsApi.url, "The owner's API");
    output(OUTPUTS.consoleUrl, consoleSite?.url, "The owners' console");
    output(OUTPUTS.ingestDomainTarget, api.domain?.target, cname(ingestDomain?.name));
    output(OUTPUTS.consoleDomainTarget, consoleSite?.domainTarget, cname(consoleDomain?.name));
    output(OUTPUTS.userPoolId, owners.userPoolId);
    output(OUTPUTS.userPoolClientId, owners.clientId);
    output(OUTPUTS.operatorPolicyArn, operators.fullPolicyArn);
    output(OUTPUTS.operatorReadPolicyArn, operators.readPolicyArn);
    output(OUTPUTS.queues.enrichment, enrichment.queue.queueUrl);
    output(OUTPUTS.queues.enrichmentDeadLetters, enrichment.deadLetters.queueUrl);
    output(OUTPUTS.queues.sending, sending.queue.queueUrl);
    output(OUTPUTS.queues.sendingDeadLetters, sending.deadLetters.queueUrl);
    output(OUTPUTS.queues.index, search.queue.queueUrl);
    output(OUTPUTS.mailFrom, settings.mailFrom);
    output(OUTPUTS.mailConfigurationSet, sending.mailEvents?.configurationSetName);
    output(OUTPUTS.eventBusName, sending.eventBus?.eventBusName);
    for (const [tableKey, name] of Object.entries(OUTPUTS.tables)) {
      output(name, tables.tableName(tableKey as TableKey));
    }
  }
}
