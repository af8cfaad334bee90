import BarChart from '@cloudscape-design/components/bar-chart';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useArchivedForms, useForms, useNamedForms, useRead, useWorkspace } from '../../api/queries.ts';
import type { Diagnostics, ListedForm, Stats } from '../../api/types.ts';
import { Empty, Loading, QueryResult } from '../../shared/states.tsx';
import { TimeChart, TruncatedNotice, useNow, usePreviousData } from '../../shared/time-chart.tsx';
import { axisMaximum, formatCount, rangeStart, type TimeRange } from '../../shared/time-series.ts';
import { Link, useFollow } from '../../shell/link.tsx';
import { acceptedAndRejected, leadsByForm, scoreBands } from './chart-data.ts';
import { Checklist } from './onboarding/checklist.tsx';

const LIMITS_EVERY_MS = 10_000;
const REST = { refetchInterval: 60_000 };

/**
 * With the alerts, five requests for the whole page, plus one if archived forms had leads, those of the checklist until
 * the first real lead, and one to three for senders that have never worked.
 */
export function useOverview(range: TimeRange) {
  const from = rangeStart(range, useNow());
  const by = range.bucket === 'day' ? 'day' : 'hour';
  return {
    workspace: useWorkspace({ refetchInterval: LIMITS_EVERY_MS }),
    forms: useForms(),
    stats: usePreviousData(useRead<Stats>('/settings/stats', { from, by }, REST)),
    // Rejections are not counted by day. The chart sums hours.
    diagnostics: usePreviousData(useRead<Diagnostics>('/settings/diagnostics', { from, by: 'hour' }, REST)),
  };
}

export type OverviewReads = ReturnType<typeof useOverview>;

type LeadsPanelProps = Pick<OverviewReads, 'stats' | 'forms'> & { readonly range: TimeRange };

export function LeadsPanel({ stats, forms, range }: LeadsPanelProps) {
  const total = stats.data?.total;
  const named = useNamedForms(forms.data?.forms, stats.data?.counts.map(({ formId }) => formId) ?? []);
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={total && `(${formatCount(total.accepted)})`}
          description={total && total.accepted > 0 && `${formatCount(total.clean)} clean`}
        >
          Leads by form
        </Header>
      }
    >
      <QueryResult of={stats} what="the leads">
        {(read) => (
          <SpaceBetween size="m">
            <TruncatedNotice of={read} />
            {read.total.accepted === 0 ? (
              <NoLeads forms={forms.data?.forms ?? []} />
            ) : (
              <QueryResult of={forms} what="the forms">
                {() => (
                  <TimeChart
                    label="Leads by form"
                    series={leadsByForm(read, named, range.bucket)}
                    bucket={range.bucket}
                  />
                )}
              </QueryResult>
            )}
          </SpaceBetween>
        )}
      </QueryResult>
    </Container>
  );
}

type OutcomePanelProps = Pick<OverviewReads, 'stats' | 'diagnostics'> & { readonly range: TimeRange };

export function OutcomePanel({ stats, diagnostics, range }: OutcomePanelProps) {
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" actions={<Link href="/diagnostics">View rejections</Link>}>
          Accepted and rejected
        </Header>
      }
    >
      <QueryResult of={stats} what="the leads">
        {(accepted) => (
          <QueryResult of={diagnostics} what="the rejections">
            {(rejected) => (
              <SpaceBetween size="m">
                <TruncatedNotice of={rejected} />
                {accepted.total.accepted + rejected.rejected.total + rejected.rateLimited.total === 0 ? (
                  <Box>No submissions in this period.</Box>
                ) : (
                  <TimeChart
                    label="Accepted and rejected"
                    series={acceptedAndRejected(accepted, rejected, range.bucket)}
                    bucket={range.bucket}
                  />
                )}
              </SpaceBetween>
            )}
          </QueryResult>
        )}
      </QueryResult>
    </Container>
  );
}

export function ScoresPanel({ stats }: Pick<OverviewReads, 'stats'>) {
  return (
    <Container fitHeight header={<Header variant="h2">Scores</Header>}>
      <QueryResult of={stats} what="the scores">
        {(read) => {
          if (read.total.accepted === 0) return <Box>No leads in this period.</Box>;
          const data = scoreBands(read);
          return (
            <BarChart
              ariaLabel="Leads by score"
              series={[{ type: 'bar', title: 'Leads', data, valueFormatter: formatCount }]}
              xScaleType="categorical"
              xDomain={data.map(({ x }) => x)}
              yDomain={[0, axisMaximum(Math.max(...data.map(({ y }) => y)))]}
              yTickFormatter={formatCount}
              xTitle="Score (100 is best)"
              hideFilter
              hideLegend
              height={220}
            />
          );
        }}
      </QueryResult>
    </Container>
  );
}

export function NoForms({ workspaceId }: { readonly workspaceId: string | undefined }) {
  const archived = useArchivedForms();
  const isNew = archived.data?.forms.length === 0;
  return (
    <SpaceBetween size="l">
      <Container>
        {archived.isPending && <Loading what="the archived forms" />}
        {/* Where they cannot be read, nothing is said of them. */}
        {!archived.isPending && (archived.data?.forms.length ? <OnlyArchived /> : <NoFormsYet />)}
      </Container>
      {isNew && workspaceId !== undefined && <Checklist workspaceId={workspaceId} formIds={[]} />}
    </SpaceBetween>
  );
}

function NoFormsYet() {
  return (
    <Empty title="Create a form to get started" action={<Create text="Create your first form" />}>
      Each lead belongs to a form. Create a form, set a webhook secret or create a server token, and send your
      first lead. It appears here within seconds.
    </Empty>
  );
}

function OnlyArchived() {
  return (
    <Empty title="All your forms are archived" action={<Create text="Create form" />}>
      Archived forms can’t receive leads. To see their existing leads, open{' '}
      <Link href="/forms?archived=shown">Archived forms</Link>. To receive new leads, create a form.
    </Empty>
  );
}

function Create({ text }: { readonly text: string }) {
  const follow = useFollow();
  return (
    <Button variant="primary" href="/forms?create=true" onFollow={follow}>
      {text}
    </Button>
  );
}

/** Links to get the first lead. */
function NoLeads({ forms }: { readonly forms: readonly ListedForm[] }) {
  const follow = useFollow();
  const [only, ...others] = forms;
  const delivery = only && others.length === 0 ? `/forms/${only.formId}/delivery` : '/forms';
  return (
    <Empty
      title="No leads in this period"
      action={
        <Box display="inline-block">
          <SpaceBetween direction="horizontal" size="xs" alignItems="center">
            <Button href="/send-test" onFollow={follow}>
              Send test
            </Button>
            <Button variant="link" href={delivery} onFollow={follow}>
              {delivery === '/forms' ? 'View forms' : 'Delivery settings'}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      Send a test lead, or connect a sender using the sample code in a form’s Delivery settings.
    </Empty>
  );
}
