import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import LiveRegion from '@cloudscape-design/components/live-region';
import { describe } from '#console/api/problem.ts';
import { sizeText } from './export-pages.ts';
import type { ExportFormat, ExportState } from './use-export.ts';

interface ExportMenuProps {
  readonly isFiltered: boolean;
  readonly busy: boolean;
  readonly onExport: (format: ExportFormat) => void;
}

export function ExportMenu({ isFiltered, busy, onExport }: ExportMenuProps) {
  const which = isFiltered ? 'All leads that match the filter' : 'All leads of this form';
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
              secondaryText: 'For spreadsheets: a column for each key, nested values as JSON in the last one',
            },
            {
              id: 'ndjson',
              text: 'NDJSON',
              secondaryText: 'For programs: a line for each lead, body as sent',
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

/** How far an export is, and what came of it. Nothing while there is none. */
export function ExportProgress({ state, onStop, onRetry }: ExportProgressProps) {
  if (state.step === 'idle') return null;
  if (state.step === 'failed') {
    const action = <Button onClick={() => onRetry(state.format)}>Export again</Button>;
    return (
      <Alert
        type="error"
        header="The export was not finished"
        action={action}
        dismissible
        dismissAriaLabel="Close"
        onDismiss={onStop}
      >
        Nothing was saved. {describe(state.error)}
      </Alert>
    );
  }
  if (state.step === 'done') {
    return (
      <Alert type="success" dismissible dismissAriaLabel="Close" onDismiss={onStop}>
        <LiveRegion>
          Exported {state.fileName}, {sizeText(state.bytes)}.
        </LiveRegion>
      </Alert>
    );
  }
  return (
    <Alert type="info" header="Exporting" action={<Button onClick={onStop}>Cancel the export</Button>}>
      {sizeText(state.bytes)} so far. It goes on while this page is open.
    </Alert>
  );
}
