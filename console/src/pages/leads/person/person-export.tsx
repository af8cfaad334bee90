import Alert from '@cloudscape-design/components/alert';
import LiveRegion from '@cloudscape-design/components/live-region';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useClient } from '#console/api/queries.ts';
import { exportPages, formatSize } from '../export/export-pages.ts';
import { openSaveTarget } from '../export/save-file.ts';

type ExportState =
  | { readonly step: 'idle' }
  | { readonly step: 'running' }
  | { readonly step: 'done'; readonly bytes: number }
  | { readonly step: 'failed'; readonly error: unknown };

const FILE_NAME = 'person.ndjson';
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Writes everything with an email address to one file. Leaving the page cancels it. */
export function usePersonExport() {
  const client = useClient();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(email: string): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const target = await openSaveTarget(FILE_NAME, 'application/x-ndjson');
    if (!target || signal.aborted) return;
    setState({ step: 'running' });
    const read = (cursor: string | undefined) =>
      client.post('/settings/people/export', { email, cursor }, signal);
    let bytes = 0;
    try {
      for await (const page of exportPages({ read, pause, signal })) {
        await target.write(page.bytes);
        bytes += page.bytes.length;
      }
      signal.throwIfAborted();
      await target.finish(FILE_NAME);
      setState({ step: 'done', bytes });
    } catch (error) {
      await target.drop().catch(() => undefined);
      if (!signal.aborted) setState({ step: 'failed', error });
    }
  }

  return { state, start, close: () => setState({ step: 'idle' }) };
}

interface PersonExportProgressProps {
  readonly state: ExportState;
  readonly close: () => void;
}

export function PersonExportProgress({ state, close }: PersonExportProgressProps) {
  if (state.step === 'idle' || state.step === 'running') return null;
  const closing = { dismissible: true, dismissAriaLabel: 'Close', onDismiss: close };
  if (state.step === 'failed') {
    return (
      <Alert type="error" header="Export failed" {...closing}>
        No file was saved. {errorMessage(state.error)}
      </Alert>
    );
  }
  return (
    <Alert type="success" {...closing}>
      <LiveRegion>
        Exported {FILE_NAME}, {formatSize(state.bytes)}.
      </LiveRegion>
    </Alert>
  );
}
