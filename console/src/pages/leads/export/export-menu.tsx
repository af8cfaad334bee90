import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import LiveRegion from '@cloudscape-design/components/live-region';
import { useEffect, useRef, useState } from 'react';
import type { Query } from '#console/api/client.ts';
import { errorMessage } from '#console/api/problem.ts';
import { useClient } from '#console/api/queries.ts';
import { exportColumns } from './export-columns.ts';
import { exportPages, formatSize } from './export-pages.ts';
import { openSaveTarget } from './save-file.ts';

interface ExportMenuProps {
  readonly isFiltered: boolean;
  readonly busy: boolean;
  /** IDs of the table's visible columns, in order. */
  readonly shownColumns: readonly string[];
  readonly onExport: (wanted: ExportWanted) => void;
}

export function ExportMenu({ isFiltered, busy, shownColumns, onExport }: ExportMenuProps) {
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
              secondaryText:
                'For spreadsheets: score, enrichment and one column per key, nested values as JSON in the last column',
            },
            {
              id: 'shown',
              text: 'CSV, columns shown',
              secondaryText: 'Only the columns of this list, in their order',
            },
            {
              id: 'ndjson',
              text: 'NDJSON',
              secondaryText: 'For programs: one lead per line, with the original body',
            },
          ],
        },
      ]}
      onItemClick={({ detail }) =>
        onExport(
          detail.id === 'shown'
            ? { format: 'csv', columns: exportColumns(shownColumns) }
            : { format: detail.id as ExportFormat },
        )
      }
    >
      Export
    </ButtonDropdown>
  );
}

interface ExportProgressProps {
  readonly state: ExportState;
  readonly onStop: () => void;
  readonly onRetry: (wanted: ExportWanted) => void;
}

/** Progress and result of an export. */
export function ExportProgress({ state, onStop, onRetry }: ExportProgressProps) {
  if (state.step === 'idle') return null;
  if (state.step === 'failed') {
    const action = <Button onClick={() => onRetry(state.wanted)}>Export again</Button>;
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

type ExportFormat = 'csv' | 'ndjson';

export interface ExportWanted {
  readonly format: ExportFormat;
  /** As the API takes them. All columns, if absent. */
  readonly columns?: string;
}

type ExportState =
  | { readonly step: 'idle' }
  | { readonly step: 'running' | 'done'; readonly bytes: number; readonly fileName: string }
  | { readonly step: 'failed'; readonly error: unknown; readonly wanted: ExportWanted };

const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Writes all pages of an export to one file. Leaving the page cancels it. */
export function useExport({ path, name }: { readonly path: string; readonly name: string }) {
  const client = useClient();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(wanted: ExportWanted, filter: Query): Promise<void> {
    const { format } = wanted;
    const controller = new AbortController();
    const { signal } = controller;
    running.current?.abort();
    running.current = controller;
    let fileName = `${name}.${format}`;
    const target = await openSaveTarget(fileName, TYPES[format]);
    if (!target || signal.aborted) return;
    let bytes = 0;
    setState({ step: 'running', bytes, fileName });
    const query = { ...filter, ...wanted };
    const read = (cursor: string | undefined) => client.fetch(path, { ...query, cursor }, signal);
    try {
      for await (const page of exportPages({ read, pause, signal })) {
        await target.write(page.bytes);
        bytes += page.bytes.length;
        fileName = page.fileName ?? fileName;
        if (!signal.aborted) setState({ step: 'running', bytes, fileName });
      }
      signal.throwIfAborted();
      await target.finish(fileName);
      setState({ step: 'done', bytes, fileName });
    } catch (error) {
      await target.drop().catch(() => undefined);
      if (!signal.aborted) setState({ step: 'failed', error, wanted });
    }
  }

  function stop(): void {
    running.current?.abort();
    setState({ step: 'idle' });
  }

  return { state, start, stop };
}
