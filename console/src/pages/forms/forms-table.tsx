import Box from '@cloudscape-design/components/box';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import Table from '#console/shared/table.tsx';
import { useArchivedForms } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { formPath, leadsPath, newestArchivedFirst } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { OwnerButton, useIsViewer } from '../../shared/role.tsx';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';
import { ActiveState, ArchiveForm, LastWeek, SecretState } from './form-actions.tsx';

interface FormsTableProps {
  readonly forms: readonly ListedForm[];
  readonly onCreate: () => void;
}

export function FormsTable({ forms, onCreate }: FormsTableProps) {
  const [archiving, setArchiving] = useState<ListedForm>();
  const done = () => setArchiving(undefined);
  return (
    <>
      <Table
        items={forms}
        trackBy="formId"
        wrapLines
        header={<Header counter={`(${forms.length})`}>Forms</Header>}
        ariaLabels={{ tableLabel: 'Forms' }}
        empty={
          <Empty title="No forms" action={<OwnerButton onClick={onCreate}>Create form</OwnerButton>}>
            Create a form, set its webhook secret and connect a sender.
          </Empty>
        }
        columnDefinitions={[
          {
            id: 'name',
            header: 'Name',
            isRowHeader: true,
            minWidth: 120,
            cell: (form) => (
              <Link href={formPath(form)}>
                <span className="value">{form.name}</span>
              </Link>
            ),
          },
          // Early, so phones show it without scrolling.
          { id: 'open', header: 'Go to', minWidth: 110, cell: (form) => <Places form={form} /> },
          { id: 'state', header: 'Status', minWidth: 110, cell: (form) => <ActiveState form={form} /> },
          {
            id: 'secret',
            header: 'Webhook secret',
            minWidth: 160,
            cell: ({ formId }) => <SecretState formId={formId} />,
          },
          { id: 'leads', header: 'Leads (last 7 days)', cell: ({ formId }) => <LastWeek formId={formId} /> },
          { id: 'created', header: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            id: 'more',
            header: 'More',
            cell: (form) => <FormMenu form={form} onArchive={() => setArchiving(form)} />,
          },
        ]}
      />
      {archiving && <ArchiveForm form={archiving} onDone={done} onCancel={done} />}
    </>
  );
}

function Places({ form }: { readonly form: ListedForm }) {
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Link href={leadsPath(form)} ariaLabel={`Leads of ${form.name}`}>
        Leads
      </Link>
      <Link href={`${formPath(form)}/delivery`} ariaLabel={`Delivery settings of ${form.name}`}>
        Delivery settings
      </Link>
    </SpaceBetween>
  );
}

interface FormMenuProps {
  readonly form: ListedForm;
  readonly onArchive: () => void;
}

function FormMenu({ form: { formId, name }, onArchive }: FormMenuProps) {
  const follow = useFollow();
  const isViewer = useIsViewer();
  const id = encodeURIComponent(formId);
  return (
    <ButtonDropdown
      variant="inline-icon"
      ariaLabel={`More actions for ${name}`}
      expandToViewport
      items={[
        { id: 'settings', text: 'Form settings', href: `/forms/${id}` },
        { id: 'test', text: 'Send test', href: `/send-test?form=${id}` },
        { id: 'archive', text: 'Archive', disabled: isViewer },
      ]}
      onItemFollow={follow}
      onItemClick={({ detail }) => {
        if (detail.id === 'archive') onArchive();
      }}
    />
  );
}

interface ArchivedFormsProps {
  readonly shown: boolean;
  readonly onShow: (show: boolean) => void;
}

/** Hidden if no form is archived, unless the URL asks for it. */
export function ArchivedForms({ shown, onShow }: ArchivedFormsProps) {
  const archived = useArchivedForms();
  const count = archived.data?.forms.length ?? 0;
  if (count === 0 && !shown) return null;
  return (
    <ExpandableSection
      variant="container"
      headerText="Archived forms"
      headerCounter={archived.data ? `(${count})` : ''}
      headerDescription="Archived forms no longer accept submissions. Their leads are kept."
      expanded={shown}
      onChange={({ detail }) => onShow(detail.expanded)}
    >
      {shown && (
        <QueryResult of={archived} what="the archived forms">
          {({ forms }) =>
            forms.length === 0 ? (
              <Box color="text-body-secondary">No archived forms.</Box>
            ) : (
              <ArchivedTable forms={forms} />
            )
          }
        </QueryResult>
      )}
    </ExpandableSection>
  );
}

function ArchivedTable({ forms }: { readonly forms: readonly ListedForm[] }) {
  return (
    <Table
      variant="borderless"
      items={newestArchivedFirst(forms)}
      trackBy="formId"
      wrapLines
      ariaLabels={{ tableLabel: 'Archived forms' }}
      columnDefinitions={[
        {
          id: 'name',
          header: 'Name',
          isRowHeader: true,
          minWidth: 100,
          cell: (form) => (
            <Link href={formPath(form)}>
              <span className="value">{form.name}</span>
            </Link>
          ),
        },
        {
          id: 'leads',
          header: 'Go to',
          minWidth: 80,
          cell: (form) => (
            <Link href={leadsPath(form)} ariaLabel={`Leads of ${form.name}`}>
              Leads
            </Link>
          ),
        },
        {
          id: 'archived',
          header: 'Archived',
          minWidth: 105,
          cell: ({ archivedAt }) => archivedAt !== undefined && <Moment at={archivedAt} />,
        },
      ]}
    />
  );
}
