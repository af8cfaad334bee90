// What the package lead-ingest-cdk exports: packages/cdk.

export { SettingsError } from './context/kinds.ts';
export { LeadIngestStack } from './lead-ingest-stack.ts';
export type {
  DomainProps,
  EnrichmentProviderProps,
  HostedZoneProps,
  LeadIngestQueues,
  LeadIngestStackProps,
} from './stack-props.ts';
