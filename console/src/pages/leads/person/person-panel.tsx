import Alert from '@cloudscape-design/components/alert';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useClient, useForms, useNamedForms, useRead } from '#console/api/queries.ts';
import type { Lead, Related, RelatedLead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { Empty, Failed } from '#console/shared/states.tsx';
import Table from '#console/shared/table.tsx';
import { Link } from '#console/shell/link.tsx';
import { exportPages, formatSize } from '../export/export-pages.ts';
import { openSaveTarget } from '../export/use-export.tsx';
import { Score } from '../lead-marks.tsx';
import { leadAddress, TAB } from '../leads-navigation.ts';
import { leadPath } from '../use-lead.ts';
import { ErasePerson } from './erase-person.tsx';
import { whySame } from './people.ts';

/** On a lead's page: the other leads with its email address or phone number. */
export default function PersonPanel({ lead }: { readonly lead: Lead }) {
  const [erasing, setErasing] = useState(false);
  const read = useRead<Related>(`${leadPath(lead.submissionId)}/related`);
  const { leads = [], more = false, email } = read.data ?? {};
  const forms = useNamedForms(useForms().data?.forms, [lead.formId, ...leads.map(({ formId }) => formId)]);
  const names = new Map(forms.map(({ formId, name }) => [formId, name]));
  const nameOf = (formId: string) => names.get(formId) ?? formId;
  const exporting = usePersonExport();
  if (read.data === undefined && !read.isPending) return <Failed error={read.error} what="the other leads" />;
  return (
    <SpaceBetween size="s">
      <Table
        header={
          <Header
            variant="h2"
            counter={read.data && `(${leads.length}${more ? '+' : ''})`}
            description={
              more
                ? 'The newest leads with the same email address or phone number.'
                : 'Leads with the same email address or phone number.'
            }
            actions={
              email !== undefined && (
                <SpaceBetween direction="horizontal" size="xs">
                  <OwnerButton
                    loading={exporting.state.step === 'running'}
                    loadingText="Exporting"
                    onClick={() => void exporting.start(email)}
                  >
                    Export everything from this person
                  </OwnerButton>
                  <OwnerButton onClick={() => setErasing(true)}>
                    Erase everything from this person
                  </OwnerButton>
                </SpaceBetween>
              )
            }
          >
            Other leads from this person
          </Header>
        }
        items={leads}
        loading={read.isPending}
        loadingText="Loading the other leads"
        trackBy="submissionId"
        columnDefinitions={columnsWith(nameOf)}
        ariaLabels={{ tableLabel: 'Other leads from this person' }}
        wrapLines
        empty={
          <Empty title="No other leads">
            No other lead has this email address or phone number. New leads appear here after a few seconds.
          </Empty>
        }
      />
      <PersonExportProgress {...exporting} />
      {erasing && email !== undefined && read.data && (
        <ErasePerson
          lead={lead}
          email={email}
          related={read.data}
          nameOf={nameOf}
          onCancel={() => setErasing(false)}
        />
      )}
    </SpaceBetween>
  );
}

function columnsWith(nameOf: (formId: string) => string): TableProps.ColumnDefinition<RelatedLead>[] {
  return [
    {
      id: 'received',
      header: 'Received',
      minWidth: 150,
      cell: ({ submissionId, formId, receivedAt }) => (
        <Link href={leadAddress({ submissionId, formId }, `${TAB}=person`)}>
          <Moment at={receivedAt} />
        </Link>
      ),
    },
    {
      id: 'form',
      header: 'Form',
      minWidth: 120,
      cell: ({ formId }) => <span className="value">{nameOf(formId)}</span>,
    },
    {
      id: 'name',
      header: 'Name',
      minWidth: 120,
      cell: ({ name }) => <span className="value">{name ?? '–'}</span>,
    },
    { id: 'score', header: 'Score', minWidth: 90, cell: (lead) => <Score {...lead} /> },
    { id: 'why', header: 'Match', minWidth: 120, cell: whySame },
  ];
}

type ExportState =
  | { readonly step: 'idle' }
  | { readonly step: 'running' }
  | { readonly step: 'done'; readonly bytes: number }
  | { readonly step: 'failed'; readonly error: unknown };

const FILE_NAME = 'person.ndjson';
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Writes everything with an email address to one file. Leaving the page cancels it. */
function usePersonExport() {
  const client = useClient();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(email: string): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const target = await openSaveTarget(FILE_NAME, 'application/x-ndjson');
    if (!target || signal.aborted) return;
    setState({ step: 'running' });
    const read = (cursor: string | undefined) =>
      client.post('/settings/people/export', { email, cursor }, signal);
    let bytes = 0;
    try {
      for await (const page of exportPages({ read, pause, signal })) {
        await target.write(page.bytes);
        bytes += page.bytes.length;
      }
      signal.throwIfAborted();
      await target.finish(FILE_NAME);
      setState({ step: 'done', bytes });
    } catch (error) {
      await target.drop().catch(() => undefined);
      if (!signal.aborted) setState({ step: 'failed', error });
    }
  }

  return { state, start, close: () => setState({ step: 'idle' }) };
}

interface PersonExportProgressProps {
  readonly state: ExportState;
  readonly close: () => void;
}

function PersonExportProgress({ state, close }: PersonExportProgressProps) {
  if (state.step === 'idle' || state.step === 'running') return null;
  const closing = { dismissible: true, dismissAriaLabel: 'Close', onDismiss: close };
  if (state.step === 'failed') {
    return (
      <Alert type="error" header="Export failed" {...closing}>
        No file was saved. {errorMessage(state.error)}
      </Alert>
    );
  }
  return (
    <Alert type="success" {...closing}>
      <LiveRegion>
        Exported {FILE_NAME}, {formatSize(state.bytes)}.
      </LiveRegion>
    </Alert>
  );
}
