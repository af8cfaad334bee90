import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Table from '@cloudscape-design/components/table';
import { useArchivedForms } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { formPath, newestArchivedFirst } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';

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
