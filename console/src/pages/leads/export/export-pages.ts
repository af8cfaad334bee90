import { ApiProblem } from '#console/api/problem.ts';

interface ExportedPage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string | undefined;
  /** Undefined if the export doesn't say. */
  readonly leads: number | undefined;
}

interface Source {
  /** Reads one page; the first without a cursor. */
  readonly read: (cursor: string | undefined) => Promise<Response>;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}

const MAX_TRIES = 4;
const FIRST_PAUSE_MS = 500;

/** All pages of an export in order. A page may be empty. */
export async function* exportPages(source: Source): AsyncGenerator<ExportedPage> {
  let cursor: string | undefined;
  do {
    const { headers, bytes } = await readPage(source, cursor);
    const leads = headers.get('x-leads');
    yield {
      bytes,
      fileName: fileNameIn(headers.get('content-disposition') ?? ''),
      leads: leads === null ? undefined : Number(leads),
    };
    cursor = headers.get('x-next-cursor') ?? undefined;
  } while (cursor !== undefined);
}

/** Retries a page, since an export can take minutes. */
async function readPage({ read, pause, signal }: Source, cursor: string | undefined) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await read(cursor);
      return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch (error) {
      if (signal.aborted || attempt === MAX_TRIES || isRefusal(error)) throw error;
    }
    await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    signal.throwIfAborted();
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429;
}

function fileNameIn(disposition: string): string | undefined {
  return /filename="([^"/\\]+)"/.exec(disposition)?.[1];
}

export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
