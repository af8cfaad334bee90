import { Duration } from 'aws-cdk-lib';
import { NONE_IS_FINE, type RunbookAlarm } from './runbook-alarm.ts';
import type { Watched } from './watched.ts';

/** Also what a gradual deployment of the owner's functions looks at. */
export const OWNER_ERRORS = 'OwnerErrors';

/** Whether owners get answers. */
export function ownerAlarms({ settingsApi }: Watched): RunbookAlarm[] {
  return [
    {
      heading: OWNER_ERRORS,
      meaning: "The owner's API answered with 500 or more.",
      metric: settingsApi.metricServerErrors({ period: Duration.minutes(1) }),
      threshold: 1,
      missingData: NONE_IS_FINE,
    },
  ];
}
