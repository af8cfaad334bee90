import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useForms, useNamedForms, useRead } from '#console/api/queries.ts';
import type { Lead, Related, RelatedLead } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { Empty, Failed } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';
import { Score } from '../lead-marks.tsx';
import { leadPath } from '../use-lead.ts';
import { ErasePerson } from './erase-person.tsx';
import { whySame } from './people.ts';
import { PersonExportProgress, usePersonExport } from './person-export.tsx';

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
        <Link href={`/forms/${encodeURIComponent(formId)}/leads/${submissionId}`}>
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
