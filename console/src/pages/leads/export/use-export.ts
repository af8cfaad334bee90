import { useEffect, useRef, useState } from 'react';
import { useClient } from '#console/api/context.ts';
import { type LeadFilter, toQuery } from '../filter/lead-filter.ts';
import { leadsPath } from '../table/use-lead-pages.ts';
import { exportPages } from './export-pages.ts';
import { openSaveTarget } from './save-target.ts';

export type ExportFormat = 'csv' | 'ndjson';

export type ExportState =
  | { readonly step: 'idle' }
  | { readonly step: 'running' | 'done'; readonly bytes: number; readonly fileName: string }
  | { readonly step: 'failed'; readonly error: unknown; readonly format: ExportFormat };

const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Puts the pages of an export together into one file. Leaving the page cancels it. */
export function useExport({ formId, slug }: { readonly formId: string; readonly slug: string }) {
  const client = useClient();
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(format: ExportFormat, filter: LeadFilter): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    running.current?.abort();
    running.current = controller;
    let fileName = `${slug}.${format}`;
    const target = await openSaveTarget(fileName, TYPES[format]);
    if (!target || signal.aborted) return;
    let bytes = 0;
    setState({ step: 'running', bytes, fileName });
    const query = { ...toQuery(filter, Date.now()), format };
    const read = (cursor: string | undefined) =>
      client.fetch(`${leadsPath(formId)}/export`, { ...query, cursor }, signal);
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
      if (!signal.aborted) setState({ step: 'failed', error, format });
    }
  }

  function stop(): void {
    running.current?.abort();
    setState({ step: 'idle' });
  }

  return { state, start, stop };
}
