// Names of metrics, in groups: a function's bundle has only those that it writes.

/**
 * Metrics of submissions, of enrichment, and of attempts that DynamoDB throttled. Those of other functions are separate, to keep them out of the ingest
 * bundles.
 */
export const METRICS = {
  namespace: 'LeadIngest',
  accepted: 'Accepted',
  replayed: 'Replayed',
  rejected: 'Rejected',
  latencyMilliseconds: 'Latency',
  diagnosticsDropped: 'DiagnosticsDropped',
  enriched: 'Enriched',
  enrichmentFailed: 'EnrichmentFailed',
  enrichmentRetried: 'EnrichmentRetried',
  tableThrottles: 'TableThrottles',
} as const;

/** The metrics namespace of a stage, since two stages may share an account. The default is METRICS.namespace. */
export const METRICS_NAMESPACE_VARIABLE = 'METRICS_NAMESPACE';

/** Metrics of the functions that follow the streams of leads and rejections. */
export const STREAM_METRICS = {
  relayed: 'Relayed',
  refused: 'RelayRefused',
  counted: 'Counted',
  recorded: 'RejectionsRecorded',
} as const;

/** Metrics of forwarding leads to destinations. */
export const SENDING_METRICS = {
  dispatched: 'MessagesDispatched',
  sent: 'MessagesSent',
  retried: 'MessagesRetried',
  parked: 'MessagesParked',
  failed: 'MessagesFailed',
  disabled: 'DestinationsDisabled',
} as const;

/** Metrics of the watch for what owners should know about. */
export const ALERT_METRICS = {
  watched: 'WorkspacesWatched',
  opened: 'AlertsOpened',
  closed: 'AlertsClosed',
  failed: 'WatchFailures',
} as const;

/** Metrics of the search index. */
export const SEARCH_METRICS = { indexed: 'LeadsIndexed', failed: 'IndexFailures' } as const;

/** Metrics of the owner's API, by area: `settings`, `diagnostics` or `members`. Latency has the same name as for submissions. */
export const OWNER_METRICS = { requests: 'OwnerRequests', failures: 'OwnerFailures' } as const;

/** A change that was made but is not in the activity log. */
export const ACTIVITY_METRICS = { lost: 'ActivityLost' } as const;

/** Requests to which API Gateway itself responded, counted from its access log. */
export const GATEWAY_METRICS = { responses: 'GatewayAnswers' } as const;
