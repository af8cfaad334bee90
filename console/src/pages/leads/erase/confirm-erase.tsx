import Box from '@cloudscape-design/components/box';
import { Confirm } from '#console/shared/confirm.tsx';
import { useEraseLeads } from './use-erase-leads.ts';

interface ConfirmEraseProps {
  readonly leadIds: readonly string[];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function ConfirmErase({ leadIds, onDone, onCancel }: ConfirmEraseProps) {
  const erase = useEraseLeads(onDone);
  const many = leadIds.length > 1;
  return (
    <Confirm
      title={many ? `Delete ${leadIds.length} leads?` : 'Delete this lead?'}
      confirm="Delete"
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate(leadIds)}
      onCancel={onCancel}
    >
      <Box variant="p">
        All that was sent and all that was found out about {many ? 'them' : 'it'} is removed. This cannot be
        undone.
      </Box>
      <Box variant="p">The counts on the overview keep counting {many ? 'them' : 'it'}.</Box>
      {erase.erased > 0 && many && (
        <Box variant="p">
          {erase.erased} of {leadIds.length} deleted.
        </Box>
      )}
    </Confirm>
  );
}
