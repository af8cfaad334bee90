import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import {
  backgroundAlarms,
  INTERNAL_ERRORS,
  OWNER_ERRORS,
  ownerAlarms,
  sendingAlarms,
  submissionAlarms,
  watchAlarms,
} from './monitoring/alarms.ts';
import { makeDashboard } from './monitoring/dashboard.ts';
import { FUNCTION_ERRORS, resourceAlarms } from './monitoring/resource-alarms.ts';
import { AlarmTopic, type MonitoredResources, makeAlarm } from './monitoring/runbook-alarm.ts';
import type { ServiceFunction } from './service-function.ts';

export interface MonitoringProps extends MonitoredResources {
  readonly alarmEmail: string | undefined;
}

/** Alarms besides a function's own errors that show that its callers have problems. */
const CALLER_ALARMS: Readonly<Record<string, string>> = {
  'ingest-server': INTERNAL_ERRORS,
  'ingest-webhook': INTERNAL_ERRORS,
  settings: OWNER_ERRORS,
  diagnostics: OWNER_ERRORS,
};

/** One dashboard, and an alarm for everything that needs action: docs/runbook.md. */
export class Monitoring extends Construct {
  private readonly alarms: Readonly<Record<string, Alarm>>;

  constructor(scope: Construct, id: string, { alarmEmail, ...watched }: MonitoringProps) {
    super(scope, id);
    const { stage } = watched;
    const { topic } = new AlarmTopic(this, 'Announcements', { stage, email: alarmEmail });
    const announceAt = new SnsAction(topic);
    const all = [
      ...submissionAlarms(watched),
      ...backgroundAlarms(watched),
      ...sendingAlarms(watched),
      ...watchAlarms(watched),
      ...ownerAlarms(watched),
      ...resourceAlarms(watched),
    ].map((each) => makeAlarm(this, stage, announceAt, each));
    this.alarms = Object.fromEntries(all.map((alarm) => [alarm.node.id, alarm]));
    makeDashboard(this, watched, all);
  }

  /** The alarms that show that a new version of a function is worse than the old one. */
  alarmsAgainst(fn: ServiceFunction): Alarm[] {
    const names = [`${FUNCTION_ERRORS}-${fn.name}`, CALLER_ALARMS[fn.name]];
    return names.flatMap((name) => (name === undefined ? [] : (this.alarms[name] ?? [])));
  }
}
