import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { OUTPUTS, type TableKey } from '../lambdas/contract.ts';
import { Access } from './access.ts';
import { Alerts } from './alerts.ts';
import { BrowserSurface } from './browser-surface.ts';
import { ConsoleSite } from './console-site.ts';
import { OWN_TAGS } from './context/kinds.ts';
import type { Settings } from './context.ts';
import { Enrichment } from './enrichment.ts';
import { GradualDeployment } from './gradual-deployment.ts';
import { InTurn } from './in-turn.ts';
import { IngestApi } from './ingest-api.ts';
import { LeadStats } from './lead-stats.ts';
import { Learning } from './learning.ts';
import { Monitoring } from './monitoring.ts';
import { OperatorPolicies } from './operator-policies.ts';
import { Owners } from './owners.ts';
import { Recipients } from './recipients.ts';
import { RejectionRecorder } from './rejection-recorder.ts';
import { Search } from './search.ts';
import { Sending } from './sending.ts';
import { ServiceFunction } from './service-function.ts';
import { SettingsApi } from './settings-api.ts';
import { SourcesApi } from './sources-api.ts';
import { Tables } from './tables.ts';
import { splitThrottles } from './throttles.ts';

/** The whole service. Wiring only, in the order in which data flows. */
export class LeadIngestStack extends Stack {
  constructor(scope: Construct, settings: Settings) {
    const { stage, manageApiGatewayAccount, enrichmentProvider, ownerThreatProtection, ingestFirewall } =
      settings;
    const { ingestDomain, consoleDomain, concurrency } = settings;
    super(scope, `LeadIngest-${stage.name}`, {
      description: `Lead ingestion service (${stage.name})`,
      terminationProtection: stage.keepsData,
    });
    const tags = { ...settings.tags, [OWN_TAGS.service]: 'lead-ingest', [OWN_TAGS.stage]: stage.name };
    for (const [key, value] of Object.entries(tags)) Tags.of(this).add(key, value);

    const tables = new Tables(this, 'Tables', stage);
    const throttles = splitThrottles(settings.apiRequestsPerSecond);

    const server = new ServiceFunction(this, 'IngestServer', {
      stage,
      folder: 'ingest-server',
      description: 'Surface 1a: takes leads from backends by Bearer token',
    });
    tables.grantLookUpTokens(server);
    tables.grantLookUpForms(server);

    const webhook = new ServiceFunction(this, 'IngestWebhook', {
      stage,
      folder: 'ingest-webhook',
      description: 'Surface 1b: takes leads from webhook providers by signature',
    });
    tables.grantFindFormsBySlug(webhook);
    tables.grantFindSecretsBySlug(webhook);

    for (const ingest of [server, webhook]) {
      tables.grantPassGate(ingest);
      tables.grantRememberResponses(ingest);
      tables.grantStoreLeads(ingest);
      tables.grantRecordRejections(ingest);
      tables.grantNoteUse(ingest);
    }

    const retired = new ServiceFunction(this, 'Retired', {
      stage,
      folder: 'retired',
      description: 'Answers the retired pre-v1 path with 410',
    });

    const browser = new BrowserSurface(this, 'Browser', { stage, tables });

    const api = new IngestApi(this, 'IngestApi', {
      stage,
      manageApiGatewayAccount,
      server,
      webhook,
      retired,
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
      concurrency: concurrency,
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

    new CfnOutput(this, OUTPUTS.stage, { value: stage.name });
    new CfnOutput(this, OUTPUTS.region, { value: this.region });
    new CfnOutput(this, OUTPUTS.ingestUrl, { value: api.url, description: '{base_url} of both endpoints' });
    new CfnOutput(this, OUTPUTS.sourcesUrl, { value: sourcesApi.url, description: 'Of Surface 1c' });
    new CfnOutput(this, OUTPUTS.settingsUrl, { value: settingsApi.url, description: "The owner's API" });
    if (consoleSite) {
      new CfnOutput(this, OUTPUTS.consoleUrl, { value: consoleSite.url, description: "The owners' console" });
    }
    if (api.domain?.target) {
      new CfnOutput(this, OUTPUTS.ingestDomainTarget, {
        value: api.domain.target,
        description: `Make a CNAME record for ${ingestDomain?.name} that points here`,
      });
    }
    if (consoleSite?.domainTarget) {
      new CfnOutput(this, OUTPUTS.consoleDomainTarget, {
        value: consoleSite.domainTarget,
        description: `Make a CNAME record for ${consoleDomain?.name} that points here`,
      });
    }
    new CfnOutput(this, OUTPUTS.userPoolId, { value: owners.userPoolId });
    new CfnOutput(this, OUTPUTS.userPoolClientId, { value: owners.clientId });
    new CfnOutput(this, OUTPUTS.operatorPolicyArn, { value: operators.fullPolicyArn });
    new CfnOutput(this, OUTPUTS.operatorReadPolicyArn, { value: operators.readPolicyArn });
    new CfnOutput(this, OUTPUTS.queues.enrichment, { value: enrichment.queueUrl });
    new CfnOutput(this, OUTPUTS.queues.enrichmentDeadLetters, { value: enrichment.deadLetterQueueUrl });
    new CfnOutput(this, OUTPUTS.queues.sending, { value: sending.queue.queueUrl });
    new CfnOutput(this, OUTPUTS.queues.sendingDeadLetters, { value: sending.deadLetters.queueUrl });
    new CfnOutput(this, OUTPUTS.queues.index, { value: search.queue.queueUrl });
    if (settings.mailFrom !== undefined) {
      new CfnOutput(this, OUTPUTS.mailFrom, { value: settings.mailFrom });
    }
    if (sending.mailEvents) {
      new CfnOutput(this, OUTPUTS.mailConfigurationSet, { value: sending.mailEvents.configurationSetName });
    }
    if (sending.eventBusName !== undefined) {
      new CfnOutput(this, OUTPUTS.eventBusName, { value: sending.eventBusName });
    }
    for (const [tableKey, output] of Object.entries(OUTPUTS.tables)) {
      new CfnOutput(this, output, { value: tables.tableName(tableKey as TableKey) });
    }
  }
}
