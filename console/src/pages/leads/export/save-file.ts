/** A file that is written while it downloads. */
export interface SaveTarget {
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
