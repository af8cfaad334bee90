import Button from '@cloudscape-design/components/button';
import type { TableProps } from '@cloudscape-design/components/table';
import type { RejectionEvent } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { SURFACE_NAMES } from '#console/shared/surface-names.ts';
import { Link } from '#console/shell/link.tsx';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import type { KnownForms } from '../known-forms.ts';

export function eventColumns(
  { nameOf }: KnownForms,
  onOpen: (requestId: string) => void,
): TableProps.ColumnDefinition<RejectionEvent>[] {
  return [
    { id: 'at', header: 'Time', minWidth: 180, cell: ({ at }) => <Moment at={at} /> },
    {
      id: 'reason',
      header: 'Reason',
      isRowHeader: true,
      minWidth: 160,
      cell: ({ reason, requestId }) => (
        <Button
          variant="inline-link"
          ariaLabel={`${REASON_GUIDE[reason].title}, details of request ${requestId}`}
          onClick={() => onOpen(requestId)}
        >
          {REASON_GUIDE[reason].title}
        </Button>
      ),
    },
    { id: 'surface', header: 'Surface', minWidth: 150, cell: ({ surface }) => SURFACE_NAMES[surface] },
    {
      id: 'form',
      header: 'Form',
      minWidth: 140,
      cell: ({ formId }) =>
        formId === undefined ? (
          nameOf(formId)
        ) : (
          <Link href={`/forms/${encodeURIComponent(formId)}`}>{nameOf(formId)}</Link>
        ),
    },
    {
      id: 'request',
      header: 'Request id',
      minWidth: 160,
      cell: ({ requestId }) => <span className="value">{requestId}</span>,
    },
  ];
}
