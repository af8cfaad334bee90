import Table from '@cloudscape-design/components/table';
import type { ListedForm } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { Link } from '#console/shell/link.tsx';
import { formPath } from '../form-paths.ts';
import { lastArchivedFirst } from './last-archived-first.ts';

export function ArchivedTable({ forms }: { readonly forms: readonly ListedForm[] }) {
  return (
    <Table
      variant="borderless"
      items={lastArchivedFirst(forms)}
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
            <Link href={`${formPath(form)}/leads`} ariaLabel={`Leads of ${form.name}`}>
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
