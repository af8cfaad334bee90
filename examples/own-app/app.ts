import { App } from 'aws-cdk-lib';
import { LeadIngestStack } from 'lead-ingest-cdk';
import { SalesStack } from './sales-stack.ts';

const app = new App();
const leads = new LeadIngestStack(app, 'Leads', {
  stage: 'dev',
  eventBus: true,
  tags: { team: 'growth' },
});
new SalesStack(app, 'Sales', { leads });
app.synth();
