import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import LiveRegion from '@cloudscape-design/components/live-region';
import { useEffect, useRef, useState } from 'react';
import type { Query } from '#console/api/client.ts';
import { errorMessage } from '#console/api/problem.ts';
import { useClient } from '#console/api/queries.ts';
import { exportPages, formatSize } from './export-pages.ts';
import { leadsText, progressText } from './export-words.ts';

/** A file that is written while it downloads. */
interface SaveTarget {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  finish(fileName: string): Promise<void>;
  /** Discards the partial file. */
  drop(): Promise<void>;
}

type PickFile = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Writes to a file that the owner picks, so large exports need no memory, or else to a download. Undefined if the
 * owner canceled. Must be called in a click handler: browsers open the picker only then.
 */
export async function openSaveTarget(suggestedName: string, type: string): Promise<SaveTarget | undefined> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: PickFile };
  if (!showSaveFilePicker) return intoDownload(type);
  try {
    const handle = await showSaveFilePicker.call(window, { suggestedName });
    return intoFile(await handle.createWritable());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return intoDownload(type);
  }
}

function intoFile(stream: FileSystemWritableFileStream): SaveTarget {
  return {
    write: (bytes) => stream.write(bytes),
    finish: () => stream.close(),
    drop: () => stream.abort(),
  };
}

function intoDownload(type: string): SaveTarget {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    async write(bytes) {
      parts.push(bytes);
    },
    async finish(fileName) {
      const url = URL.createObjectURL(new Blob(parts, { type }));
      const link = document.createElement('a');
      link.href = url;
      link.download = fileName;
      link.click();
      // The browser must have started reading it.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    async drop() {
      parts = [];
    },
  };
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
          Exported {state.fileName}, {state.leads !== undefined && `${leadsText(state.leads)}, `}
          {formatSize(state.bytes)}.
        </LiveRegion>
      </Alert>
    );
  }
  return (
    <Alert type="info" header="Exporting" action={<Button onClick={onStop}>Cancel export</Button>}>
      {state.leads === undefined
        ? `${formatSize(state.bytes)} so far`
        : progressText(state.leads, state.total)}
      . Keep this page open until it finishes.
    </Alert>
  );
}

export type ExportFormat = 'csv' | 'ndjson';

export interface ExportWanted {
  readonly path: string;
  /** Names the file until the API does. */
  readonly name: string;
  readonly format: ExportFormat;
  /** The filter, and the columns if not all are wanted. */
  readonly query: Query;
  /** The number of leads, if it is known. */
  readonly total?: number | undefined;
}

interface Written {
  readonly bytes: number;
  readonly fileName: string;
  /** Undefined if the export doesn't say. */
  readonly leads: number | undefined;
  readonly total: number | undefined;
}

type ExportState =
  | { readonly step: 'idle' }
  | ({ readonly step: 'running' | 'done' } & Written)
  | { readonly step: 'failed'; readonly error: unknown; readonly wanted: ExportWanted };

const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Writes all pages of an export to one file. Leaving the page cancels it. */
export function useExport() {
  const client = useClient();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(wanted: ExportWanted): Promise<void> {
    const { path, name, format, total } = wanted;
    const controller = new AbortController();
    const { signal } = controller;
    running.current?.abort();
    running.current = controller;
    let fileName = `${name}.${format}`;
    const target = await openSaveTarget(fileName, TYPES[format]);
    if (!target || signal.aborted) return;
    let bytes = 0;
    let leads: number | undefined;
    setState({ step: 'running', bytes, fileName, leads, total });
    const read = (cursor: string | undefined) =>
      client.fetch(path, { ...wanted.query, format, cursor }, signal);
    try {
      for await (const page of exportPages({ read, pause, signal })) {
        await target.write(page.bytes);
        bytes += page.bytes.length;
        fileName = page.fileName ?? fileName;
        if (page.leads !== undefined) leads = (leads ?? 0) + page.leads;
        if (!signal.aborted) setState({ step: 'running', bytes, fileName, leads, total });
      }
      signal.throwIfAborted();
      await target.finish(fileName);
      setState({ step: 'done', bytes, fileName, leads, total });
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
