import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { ListedForm } from '../../api/types.ts';
import { formPath } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { Empty } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';
import { ArchiveForm } from './form-actions.tsx';
import { ActiveState, LastWeek, SecretState } from './form-state.tsx';

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
          <Empty title="No forms" action={<Button onClick={onCreate}> Create form </Button>}>
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
      <Link href={`${formPath(form)}/leads`} ariaLabel={`Leads of ${form.name}`}>
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
  const id = encodeURIComponent(formId);
  return (
    <ButtonDropdown
      variant="inline-icon"
      ariaLabel={`More actions for ${name}`}
      expandToViewport
      items={[
        { id: 'settings', text: 'Form settings', href: `/forms/${id}` },
        { id: 'test', text: 'Send test', href: `/send-test?form=${id}` },
        { id: 'archive', text: 'Archive' },
      ]}
      onItemFollow={follow}
      onItemClick={({ detail }) => {
        if (detail.id === 'archive') onArchive();
      }}
    />
  );
}
