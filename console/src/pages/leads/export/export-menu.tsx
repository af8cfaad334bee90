import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import LiveRegion from '@cloudscape-design/components/live-region';
import { errorMessage } from '#console/api/problem.ts';
import { formatSize } from './export-pages.ts';
import type { ExportFormat, ExportState } from './use-export.ts';

interface ExportMenuProps {
  readonly isFiltered: boolean;
  readonly busy: boolean;
  readonly onExport: (format: ExportFormat) => void;
}

export function ExportMenu({ isFiltered, busy, onExport }: ExportMenuProps) {
  const which = isFiltered ? 'All leads matching the filter' : 'All leads in this form';
  return (
    <ButtonDropdown
      loading={busy}
      loadingText="Exporting"
      items={[
        {
          text: which,
          items: [
            {
              id: 'csv',
              text: 'CSV',
              secondaryText: 'For spreadsheets: one column per key, nested values as JSON in the last column',
            },
            {
              id: 'ndjson',
              text: 'NDJSON',
              secondaryText: 'For programs: one lead per line, with the original body',
            },
          ],
        },
      ]}
      onItemClick={({ detail }) => onExport(detail.id as ExportFormat)}
    >
      Export
    </ButtonDropdown>
  );
}

interface ExportProgressProps {
  readonly state: ExportState;
  readonly onStop: () => void;
  readonly onRetry: (format: ExportFormat) => void;
}

/** Progress and result of an export. */
export function ExportProgress({ state, onStop, onRetry }: ExportProgressProps) {
  if (state.step === 'idle') return null;
  if (state.step === 'failed') {
    const action = <Button onClick={() => onRetry(state.format)}>Export again</Button>;
    return (
      <Alert
        type="error"
        header="Export failed"
        action={action}
        dismissible
        dismissAriaLabel="Close"
        onDismiss={onStop}
      >
        No file was saved. {errorMessage(state.error)}
      </Alert>
    );
  }
  if (state.step === 'done') {
    return (
      <Alert type="success" dismissible dismissAriaLabel="Close" onDismiss={onStop}>
        <LiveRegion>
          Exported {state.fileName}, {formatSize(state.bytes)}.
        </LiveRegion>
      </Alert>
    );
  }
  return (
    <Alert type="info" header="Exporting" action={<Button onClick={onStop}>Cancel export</Button>}>
      {formatSize(state.bytes)} so far. Keep this page open until it finishes.
    </Alert>
  );
}
