import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { ListedForm } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { Empty } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { ActiveState } from './active-state.tsx';
import { ArchiveForm } from './archived/archive-form.tsx';
import { FormMenu } from './form-menu.tsx';
import { formPath } from './form-paths.ts';
import { LastWeek } from './last-week.tsx';
import { SecretState } from './secret-state.tsx';

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
          <Empty title="No forms" action={<Button onClick={onCreate}>Create a form</Button>}>
            A form takes in leads. Name one, then give it a secret and connect the sender.
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
          // So early for phones: what comes later has to be scrolled to.
          { id: 'open', header: 'Go to', minWidth: 110, cell: (form) => <Places form={form} /> },
          { id: 'state', header: 'State', minWidth: 110, cell: (form) => <ActiveState form={form} /> },
          {
            id: 'secret',
            header: 'Secret',
            minWidth: 160,
            cell: ({ formId }) => <SecretState formId={formId} />,
          },
          { id: 'leads', header: 'Leads, last 7 days', cell: ({ formId }) => <LastWeek formId={formId} /> },
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
