import { Aws, Duration } from 'aws-cdk-lib';
import { type Alarm, AlarmStatusWidget, Dashboard, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { limitWidgets } from './limit-widgets.ts';
import { backgroundWidgets, costWidgets, ownerWidgets } from './service-widgets.ts';
import { speedWidgets, submissionWidgets } from './submission-widgets.ts';
import type { Watched } from './watched.ts';

const WHOLE_WIDTH = 24;

/** One page, read from top to bottom: each heading is the question that comes after the one before. */
export function makeDashboard(scope: Construct, watched: Watched, alarms: readonly Alarm[]): void {
  const dashboard = new Dashboard(scope, 'Dashboard', {
    // Names of dashboards are global in an account: without the region, a second one would overwrite the first.
    dashboardName: `lead-ingest-${watched.stage.name}-${Aws.REGION}`,
    defaultInterval: Duration.hours(12),
  });
  dashboard.addWidgets(
    new AlarmStatusWidget({
      title: 'Alarms: docs/runbook.md',
      alarms: [...alarms],
      width: WHOLE_WIDTH,
      height: 6,
    }),
  );
  const questions = {
    'Are leads getting in?': submissionWidgets(watched),
    'How fast?': speedWidgets(watched),
    'Is what comes after the 202 keeping up?': backgroundWidgets(watched),
    'Do owners get answers?': ownerWidgets(watched),
    'What does it cost?': costWidgets(watched),
    'Which limit is near?': limitWidgets(watched),
  };
  for (const [question, widgets] of Object.entries(questions)) {
    dashboard.addWidgets(new TextWidget({ markdown: `## ${question}`, width: WHOLE_WIDTH, height: 1 }));
    dashboard.addWidgets(...widgets);
  }
}
