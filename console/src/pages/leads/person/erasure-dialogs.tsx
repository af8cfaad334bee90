import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import LiveRegion from '@cloudscape-design/components/live-region';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { errorMessage } from '#console/api/problem.ts';
import { useForms, useNamedForms } from '#console/api/queries.ts';
import type { ErasedLead, Erasure } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import Table from '#console/shared/table.tsx';
import { Link } from '#console/shell/link.tsx';
import { openSaveTarget } from '../export/use-export.tsx';
import { leadAddress } from '../leads-navigation.ts';
import { erasedAsCsv, unfinishedText } from './people.ts';

interface UnfinishedErasureProps {
  readonly email: string;
  readonly outcome: Erasure;
  /** How many leads were erased so far. */
  readonly erased: number;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onDecide: (decision: 'erase' | 'keep') => void;
  readonly onCheck: () => void;
  readonly onClose: () => void;
}

/** Something of the person may be left: the owner decides, or checks again later. */
export function UnfinishedErasure(props: UnfinishedErasureProps) {
  const { email, outcome, erased, busy, error, onDecide, onCheck, onClose } = props;
  const { mentioned } = outcome;
  const forms = useNamedForms(
    useForms().data?.forms,
    mentioned.map(({ formId }) => formId),
  );
  const names = new Map(forms.map(({ formId, name }) => [formId, name]));
  // One thing at a time: the decision comes first.
  const reason = mentioned.length > 0 ? undefined : unfinishedText(outcome.reason);
  // A running request can't be canceled.
  const close = () => !busy && onClose();
  return (
    <Modal
      visible
      size="large"
      header="Not everything is erased yet"
      closeAriaLabel="Close"
      onDismiss={close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" disabled={busy} onClick={close}>
              Close
            </Button>
            {mentioned.length > 0 ? (
              <>
                <Button disabled={busy} onClick={() => onDecide('erase')}>
                  Erase these too
                </Button>
                <Button variant="primary" loading={busy} onClick={() => onDecide('keep')}>
                  Keep these
                </Button>
              </>
            ) : (
              <Button variant="primary" loading={busy} onClick={onCheck}>
                Check again
              </Button>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box variant="p">
          {erased} {erased === 1 ? 'lead' : 'leads'} erased so far.
        </Box>
        {mentioned.length > 0 && (
          <>
            <Box variant="p">
              These leads are from other people, but mention <strong className="value">{email}</strong>, for
              example in a message. Open them, then decide whether to keep them. You can’t undo erasing them.
            </Box>
            <LeadIds
              leads={mentioned}
              label="Leads that mention the address"
              nameOf={(formId) => names.get(formId) ?? formId}
              isLinked
            />
          </>
        )}
        {reason !== undefined && (
          <LiveRegion>
            <Alert type="warning">{reason}</Alert>
          </LiveRegion>
        )}
        {error != null && <Alert type="error">{errorMessage(error)}</Alert>}
        <Box variant="p">If you close this dialog, search for the address later and erase what you find.</Box>
      </SpaceBetween>
    </Modal>
  );
}

interface ErasedListProps {
  readonly erased: readonly ErasedLead[];
  /** Whether leads of others that mention the address were kept. */
  readonly keptOthers: boolean;
  readonly nameOf: (formId: string) => string;
  readonly onClose: () => void;
}

export function ErasedList({ erased, keptOthers, nameOf, onClose }: ErasedListProps) {
  const csv = erasedAsCsv(erased);
  return (
    <Modal
      visible
      size="large"
      header={`Erased ${erased.length} ${erased.length === 1 ? 'lead' : 'leads'}`}
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <CopyToClipboard
              variant="button"
              textToCopy={csv}
              copyButtonText="Copy list"
              copySuccessText="Copied the list"
              copyErrorText="Couldn’t copy the list. Download it instead."
            />
            <Button onClick={() => void download(csv)}>Download list</Button>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box variant="p">
          No lead with this email address that arrived before you confirmed is left.{' '}
          {keptOthers && 'Leads from other people that mention it were kept. '}
          Keep this list if you need proof: it contains no personal data.
        </Box>
        <LeadIds leads={erased} label="Erased leads" nameOf={nameOf} />
      </SpaceBetween>
    </Modal>
  );
}

interface LeadIdsProps {
  readonly leads: readonly ErasedLead[];
  readonly label: string;
  readonly nameOf: (formId: string) => string;
  readonly isLinked?: boolean;
}

function LeadIds({ leads, label, nameOf, isLinked = false }: LeadIdsProps) {
  return (
    <Table
      variant="embedded"
      items={leads}
      trackBy="submissionId"
      ariaLabels={{ tableLabel: label }}
      wrapLines
      columnDefinitions={[
        {
          id: 'id',
          header: 'Submission ID',
          cell: (lead) =>
            isLinked ? (
              // In a new tab, since leaving the page would close the dialog.
              <Link href={leadAddress(lead, '')} external externalIconAriaLabel="Opens in a new tab">
                {lead.submissionId}
              </Link>
            ) : (
              lead.submissionId
            ),
        },
        {
          id: 'form',
          header: 'Form',
          cell: ({ formId }) => <span className="value">{nameOf(formId)}</span>,
        },
        { id: 'received', header: 'Received', cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
      ]}
      empty="No leads"
    />
  );
}

async function download(csv: string): Promise<void> {
  const fileName = 'erased-leads.csv';
  const target = await openSaveTarget(fileName, 'text/csv');
  await target?.write(new TextEncoder().encode(csv));
  await target?.finish(fileName);
}
