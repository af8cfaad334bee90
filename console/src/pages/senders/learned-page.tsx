import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import Toggle from '@cloudscape-design/components/toggle';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { useChange, useForms, useNamedForms, useRead } from '../../api/queries.ts';
import type { Learning } from '../../api/types.ts';
import { formNames } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { ONLY_OWNERS, useIsViewer } from '../../shared/role.tsx';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { weightText } from '../leads/lead-words.ts';
import { SENDERS_PATH } from '../leads/review/review-words.ts';
import {
  appliesTo,
  formsOf,
  fromText,
  type LearnedRow,
  learnedRows,
  nothingLearned,
  SWITCH_MEANING,
  switchedText,
} from './learned-words.ts';

const PATH = '/settings/learning';
/** A review takes effect about a minute later. */
const REFRESH_MS = 30_000;

/** What the owners' verdicts change about the score of new leads. */
export function LearnedPage() {
  const read = useRead<Learning>(PATH, {}, { refetchInterval: REFRESH_MS });
  return (
    <Page
      title="Learned from your verdicts"
      description="When you mark leads as “Not spam” or “Spam”, we learn which words and findings tell your good leads from your spam. New leads that have them score higher or lower, in this workspace only."
      above={[
        { text: 'Leads', href: '/leads' },
        { text: 'Trusted and blocked senders', href: SENDERS_PATH },
      ]}
    >
      <QueryResult of={read} what="what was learned">
        {(learning) => (
          <SpaceBetween size="l">
            <LearningPanel learning={learning} />
            <LearnedTables learning={learning} />
          </SpaceBetween>
        )}
      </QueryResult>
    </Page>
  );
}

function LearningPanel({ learning }: { readonly learning: Learning }) {
  const { learnedAt, from } = learning;
  return (
    <Container header={<Header variant="h2">Learning</Header>}>
      <SpaceBetween size="l">
        <LearningSwitch enabled={learning.enabled} />
        {learnedAt !== null && (
          <KeyValuePairs
            columns={3}
            items={[
              { label: 'Marked as not spam', value: fromText(from.good) },
              { label: 'Marked as spam', value: fromText(from.spam) },
              { label: 'Last learned', value: <Moment at={learnedAt} /> },
            ]}
          />
        )}
      </SpaceBetween>
    </Container>
  );
}

function LearningSwitch({ enabled }: Pick<Learning, 'enabled'>) {
  const notify = useNotify();
  const queries = useQueryClient();
  const isViewer = useIsViewer();
  const change = useChange<'changeLearning'>((body) => ({ method: 'PATCH', path: PATH, body }));

  function turn(on: boolean) {
    // Not disabled meanwhile: it would lose the focus.
    if (change.isPending) return;
    change.mutate(
      { enabled: on },
      {
        onSuccess: (learning) => {
          // Otherwise the switch would jump back until the page is read again.
          queries.setQueryData([PATH, {}], learning);
          notify('success', switchedText(learning.enabled));
        },
        onError: (error) =>
          notify('error', `Couldn’t turn learning ${on ? 'on' : 'off'}. ${errorMessage(error)}`),
      },
    );
  }

  return (
    <Toggle
      checked={change.isPending ? change.variables.enabled : enabled}
      disabled={isViewer}
      description={isViewer ? `${SWITCH_MEANING} ${ONLY_OWNERS}` : SWITCH_MEANING}
      onChange={({ detail }) => turn(detail.checked)}
    >
      Learn from verdicts
    </Toggle>
  );
}

function LearnedTables({ learning }: { readonly learning: Learning }) {
  const names = formNames(useNamedForms(useForms().data?.forms, formsOf(learning)));
  const { raises, lowers } = learnedRows(learning);
  if (raises.length + lowers.length === 0) {
    const { title, text } = nothingLearned(learning);
    return (
      <Container>
        <Empty title={title} action={<Link href="/leads">Go to leads</Link>}>
          {text}
        </Empty>
      </Container>
    );
  }
  const nameOf = (formId: string) => names.get(formId);
  return (
    <ColumnLayout columns={2} minColumnWidth={320}>
      <LearnedTable title="Raises the score" rows={raises} nameOf={nameOf} />
      <LearnedTable title="Lowers the score" rows={lowers} nameOf={nameOf} />
    </ColumnLayout>
  );
}

interface LearnedTableProps {
  readonly title: string;
  readonly rows: readonly LearnedRow[];
  readonly nameOf: (formId: string) => string | undefined;
}

const MAX_SHOWN = 15;

function LearnedTable({ title, rows, nameOf }: LearnedTableProps) {
  const [whole, setWhole] = useState(false);
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${rows.length})`}>
          {title}
        </Header>
      }
      items={whole ? rows : rows.slice(0, MAX_SHOWN)}
      trackBy="id"
      wrapLines
      enableKeyboardNavigation
      ariaLabels={{ tableLabel: title }}
      empty={<Empty title="Nothing yet">Mark more leads to teach more.</Empty>}
      // It stays when pressed, so that it keeps the focus.
      footer={
        rows.length > MAX_SHOWN && (
          <Button variant="inline-link" onClick={() => setWhole(!whole)}>
            {whole ? `Show the first ${MAX_SHOWN}` : `Show all ${rows.length}`}
          </Button>
        )
      }
      columnDefinitions={[
        {
          id: 'text',
          header: 'Word or finding',
          isRowHeader: true,
          minWidth: 170,
          // No column of its own for the forms: it would not fit a phone.
          cell: (row) => (
            <>
              <div className="value">{row.text}</div>
              <Box variant="small" display="block">
                <span className="value">{appliesTo(row, nameOf)}</span>
              </Box>
            </>
          ),
        },
        {
          id: 'points',
          header: 'Points',
          width: 110,
          minWidth: 100,
          cell: ({ points }) => weightText(points),
        },
      ]}
    />
  );
}
