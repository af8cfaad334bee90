import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export type StageName = 'dev' | 'prod';

/** The differences between the stages. Everything else is the same, so that dev is a rehearsal for prod. */
export interface Stage {
  readonly name: StageName;
  /** Keep resources with data when they leave the stack, and protect them from deletion. */
  readonly keepsData: boolean;
  readonly removalPolicy: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** How long the deletion of a key can be canceled. */
  readonly keyPendingWindow: Duration;
  /** Whether there is a web ACL by default. It has a monthly price. */
  readonly hasFirewall: boolean;
  /** Whether there is a dashboard by default. It has a monthly price too. */
  readonly hasDashboard: boolean;
  /** New code first gets a tenth of the invocations, and is rolled back if an alarm goes off. */
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
    hasDashboard: false,
    // npm start runs this template, and developers should not have to wait.
    deploysGradually: false,
  },
  prod: {
    name: 'prod',
    keepsData: true,
    removalPolicy: RemovalPolicy.RETAIN,
    logRetention: RetentionDays.THREE_MONTHS,
    keyPendingWindow: Duration.days(30),
    hasFirewall: true,
    hasDashboard: true,
    deploysGradually: true,
  },
};
