import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useDelivery, useRead } from '#console/api/queries.ts';
import type { EventPage, Form, LeadPage, ProviderDelivery, RecordedReason } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { QueryResult } from '#console/shared/states.tsx';
import { Link, useFollow } from '#console/shell/link.tsx';
import { fieldsOfLead, fieldsTextOf } from '#model/lead-fields.ts';
import { reasonGuide } from '#rejections/reason-guide.ts';
import { findRoles } from '#scoring/roles.ts';
import { likelyCause } from '#sources/explain-rejection.ts';
import type { Provider } from '#sources/providers.ts';
import { Clean, Score } from '../../leads/lead-marks.tsx';
import { useLead } from '../../leads/use-lead.ts';
import { FieldList } from './field-list.tsx';
import { PROVIDER_GUIDE } from './provider-guide.ts';
import { latestOutcome, type Outcome } from './source-rules.ts';

interface FirstDeliveryProps {
  readonly form: Form;
  readonly row: Provider;
  readonly provider: ProviderDelivery;
}

/** The page in front is watched; react-query pauses in other tabs. */
const POLL_MS = 4_000;
const NEWEST = 10;

/** Waits for the first delivery, then shows what became of the newest one. */
export function FirstDelivery({ form, row, provider }: FirstDeliveryProps) {
  const { formId } = form;
  useDelivery(formId, POLL_MS);
  const leads = useRead<LeadPage>(
    `/settings/forms/${encodeURIComponent(formId)}/leads`,
    { limit: NEWEST },
    { enabled: provider.lastUsedAt !== undefined, refetchInterval: POLL_MS },
  );
  const outcome = latestOutcome(provider, leads.data?.rows ?? []);
  const { tryIt } = PROVIDER_GUIDE[row.name];
  return (
    <Container
      header={
        <Header description={outcome.kind === 'waiting' ? tryIt : 'What became of the newest one.'}>
          {outcome.kind === 'waiting' ? 'First delivery' : 'Latest delivery'}
        </Header>
      }
    >
      <LiveRegion hidden>{announced(outcome)}</LiveRegion>
      {outcome.kind === 'waiting' && (
        <SpaceBetween size="xs">
          <StatusIndicator type="loading">Waiting for a delivery from {row.displayName}</StatusIndicator>
          <Box color="text-body-secondary">This page shows it within seconds.</Box>
        </SpaceBetween>
      )}
      {outcome.kind === 'lead' && <Received form={form} {...outcome} />}
      {outcome.kind === 'ignored' && (
        <Alert type="success" header="Connected, but no lead yet">
          A delivery with the right signature arrived <Moment at={outcome.at} />. It made no lead, because it
          was a test of the address or an event that the form doesn’t take. {tryIt}
        </Alert>
      )}
      {outcome.kind === 'rejected' && <Rejected form={form} row={row} {...outcome} />}
    </Container>
  );
}

/** For screen readers, which would otherwise read out all fields. */
function announced(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'waiting':
      return '';
    case 'lead':
      return 'Lead received';
    case 'ignored':
      return 'Connected, but no lead yet';
    case 'rejected':
      return `Rejected: ${reasonGuide(outcome.reason, '1c').title}`;
  }
}

interface ReceivedProps {
  readonly form: Form;
  readonly submissionId: string;
  readonly at: string;
}

function Received({ form, submissionId, at }: ReceivedProps) {
  const lead = useLead(submissionId);
  const follow = useFollow();
  const href = `/forms/${encodeURIComponent(form.formId)}/leads/${encodeURIComponent(submissionId)}`;
  return (
    <SpaceBetween size="m">
      <Alert
        type="success"
        header="Lead received"
        action={
          <Button href={href} onFollow={follow}>
            View lead
          </Button>
        }
      >
        Received <Moment at={at} />. Check that the fields below were recognized as what they are. If not, set
        their roles in the <Link href={`/forms/${encodeURIComponent(form.formId)}`}>form’s fields</Link>.
      </Alert>
      <QueryResult of={lead} what="the lead">
        {(read) => (
          <SpaceBetween size="m">
            <FieldList text={fieldsTextOf(read)} form={form} roles={rolesOf(read, form)} />
            <SpaceBetween direction="horizontal" size="m">
              <span>
                Score: <Score {...read} />
              </span>
              <Clean {...read} />
            </SpaceBetween>
          </SpaceBetween>
        )}
      </QueryResult>
    </SpaceBetween>
  );
}

function rolesOf(lead: Parameters<typeof fieldsOfLead>[0], { fields }: Form): Record<string, string> {
  const found = Object.entries(findRoles(fieldsOfLead(lead) ?? {}, fields));
  return Object.fromEntries(found.flatMap(([role, field]) => (field ? [[role, field.key]] : [])));
}

interface RejectedProps {
  readonly form: Form;
  readonly row: Provider;
  readonly at: string;
  readonly reason: RecordedReason;
}

function Rejected({ form, row, at, reason }: RejectedProps) {
  const query = { form: form.formId, surface: '1c', limit: 1 } as const;
  const events = useRead<EventPage>('/settings/diagnostics/events', query, { refetchInterval: POLL_MS });
  const event = events.data?.events.find((each) => each.at === at);
  const cause = event && likelyCause(event);
  const { title, meaning, remedy } = reasonGuide(reason, '1c', event?.detail);
  const all = `/diagnostics?form=${encodeURIComponent(form.formId)}&surface=1c`;
  return (
    <Alert type="error" header={`Rejected: ${title}`}>
      <SpaceBetween size="xs">
        {cause !== undefined && <strong>{cause}</strong>}
        <div>
          {meaning} Rejected <Moment at={at} />.
        </div>
        <div>
          <strong>What to do:</strong> {remedy}
        </div>
        <div>{PROVIDER_GUIDE[row.name].retries} Rejected bodies are never stored.</div>
        <Link href={all}>View rejections in Diagnostics</Link>
        <StatusIndicator type="loading">Waiting for the next delivery</StatusIndicator>
      </SpaceBetween>
    </Alert>
  );
}
