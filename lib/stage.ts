import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export type StageName = 'dev' | 'prod';

/** What differs between the stages. Everything else is the same in both, so that dev rehearses prod. */
export interface Stage {
  readonly name: StageName;
  /** Keep what holds data when it leaves the stack, and refuse to delete it. */
  readonly keepsData: boolean;
  readonly removalPolicy: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** How long a deleted key can be called back. */
  readonly keyPendingWindow: Duration;
  /** Whether there is a web ACL unless context says otherwise. It costs by the month, used or not. */
  readonly hasFirewall: boolean;
  /** New code takes over a tenth of the calls first, and gives them back if an alarm goes off. */
  readonly deploysGradually: boolean;
}

export const STAGES: Readonly<Record<StageName, Stage>> = {
  dev: {
    name: 'dev',
    keepsData: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetention: RetentionDays.ONE_WEEK,
    keyPendingWindow: Duration.days(7),
    hasFirewall: false,
    // npm start runs this template, and whoever tries something out does not want to wait.
    deploysGradually: false,
  },
  prod: {
    name: 'prod',
    keepsData: true,
    removalPolicy: RemovalPolicy.RETAIN,
    logRetention: RetentionDays.THREE_MONTHS,
    keyPendingWindow: Duration.days(30),
    hasFirewall: true,
    deploysGradually: true,
  },
};
