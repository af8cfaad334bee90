import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { InboxLead } from '#console/api/types.ts';
import { ShortMoment } from '#console/shared/moment.tsx';
import { Link } from '#console/shell/link.tsx';
import { Clean, EnrichmentState, Score } from '../lead-marks.tsx';

interface Showing {
  /** The URL of a lead. */
  readonly addressOf: (lead: InboxLead) => string;
  readonly formName: (formId: string) => string;
}

type Columns = TableProps.ColumnDefinition<InboxLead>[];

const NO_NAME = 'No name or email';

/** The person, or else what is known of them. */
export const personOf = ({ name, email, phone }: InboxLead) => name ?? email ?? phone ?? NO_NAME;

export function wideColumns(showing: Showing): Columns {
  return [
    {
      id: 'person',
      header: 'Person',
      isRowHeader: true,
      minWidth: 120,
      cell: (lead) => <Person lead={lead} href={showing.addressOf(lead)} />,
    },
    { id: 'company', header: 'Company', minWidth: 110, cell: ({ company }) => <Value text={company} /> },
    { id: 'email', header: 'Email', minWidth: 140, cell: ({ email }) => <Value text={email} /> },
    {
      id: 'form',
      header: 'Form',
      minWidth: 116,
      cell: ({ formId }) => <Value text={showing.formName(formId)} />,
    },
    {
      id: 'received',
      header: 'Received',
      minWidth: 95,
      cell: ({ receivedAt }) => <ShortMoment at={receivedAt} />,
    },
    { id: 'score', header: 'Score', minWidth: 95, cell: (lead) => <Score {...lead} /> },
    { id: 'clean', header: 'Clean', minWidth: 100, cell: (lead) => <Clean {...lead} /> },
    {
      id: 'enrichment',
      header: 'Enrichment',
      minWidth: 110,
      cell: ({ enrichment }) => <EnrichmentState state={enrichment} />,
    },
  ];
}

/** On a phone, one column has everything but the enrichment. */
export function narrowColumns({ addressOf, formName }: Showing): Columns {
  return [
    {
      id: 'person',
      header: 'Lead',
      isRowHeader: true,
      cell: (lead) => (
        <>
          <Person lead={lead} href={addressOf(lead)} />
          {lead.company !== undefined && <div className="value">{lead.company}</div>}
          {lead.email !== undefined && lead.name !== undefined && <Line>{lead.email}</Line>}
          <Line>
            {formName(lead.formId)}, <ShortMoment at={lead.receivedAt} />
          </Line>
          <SpaceBetween direction="horizontal" size="xs">
            <span>
              {!lead.test && 'Score '}
              <Score {...lead} />
            </span>
            {!lead.test && <Clean {...lead} />}
          </SpaceBetween>
        </>
      ),
    },
  ];
}

function Person({ lead, href }: { readonly lead: InboxLead; readonly href: string }) {
  return (
    <span className="value">
      <Link href={href}>{personOf(lead)}</Link>
    </span>
  );
}

function Line({ children }: { readonly children: ReactNode }) {
  return (
    <Box variant="div" fontSize="body-s" color="text-body-secondary">
      <span className="value">{children}</span>
    </Box>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return text === undefined ? '–' : <span className="value">{text}</span>;
}
