import type { Node } from 'constructs';
import { isCdkKey } from './context/kinds.ts';
import { type Origin, refuseUnknown } from './context/origin.ts';
import { type InputKey, SETTINGS_SCHEMA } from './context/schema.ts';
import { settle } from './context/settle.ts';
import type { Settings } from './settings.ts';

/** Input other than context. */
export interface DeployEnvironment {
  /** The region of the deployment, if CDK's command line knows it. */
  readonly region?: string | undefined;
  /** Keys given to every CDK app on this machine, which may be for another app. */
  readonly keysForAllApps?: ReadonlySet<string>;
}

/** Both domains are in one zone. */
const SHARED: Partial<Record<InputKey, string>> = {
  consoleHostedZoneId: 'hostedZoneId',
  consoleHostedZoneName: 'hostedZoneName',
};

/** Reads all settings from context. */
export function readSettings(node: Node, environment: DeployEnvironment = {}): Settings {
  return settle(contextOf(node, environment));
}

export function contextOf(node: Node, { region, keysForAllApps }: DeployEnvironment = {}): Origin {
  refuseUnknown(
    ['context key', 'keys'],
    Object.keys(node.getAllContext()),
    Object.keys(SETTINGS_SCHEMA),
    (key) => isCdkKey(key) || keysForAllApps?.has(key) === true,
  );
  const nameOf = (key: InputKey) => SHARED[key] ?? key;
  return {
    noun: 'Context',
    nameOf,
    valueOf: (key) => node.tryGetContext(nameOf(key)),
    isUnresolved: () => false,
    region: region === undefined ? undefined : { name: region, knownFrom: 'AWS_REGION' },
  };
}
