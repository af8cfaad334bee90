/** Where a file is written to while it comes in. */
export interface SaveTarget {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  finish(fileName: string): Promise<void>;
  /** Leaves no half file behind. */
  drop(): Promise<void>;
}

type PickFile = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * A file of the owner's choice where the browser can write to one, so that large exports need no memory; else a
 * download. Undefined when the owner chose no file. Call it right after a click: later the browser does not ask.
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
      // The browser has to have begun reading it.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    async drop() {
      parts = [];
    },
  };
}
