import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { Closers } from '../lifecycle.ts';
import type { StreamMapping } from './mapping.ts';

/** How far each mapping has read each shard of its stream. */
export interface Checkpoints {
  /** Where an earlier start left off. */
  find(mapping: StreamMapping, shardId: string): string | undefined;
  note(mapping: StreamMapping, shardId: string, sequenceNumber: string): void;
}

export interface CheckpointSettings {
  readonly file: string;
  /** Whether the queues, which are lost at the end, hold nothing. */
  readonly isIdle: () => boolean;
}

const WRITE_MILLISECONDS = 1_000;

type Positions = Record<string, Record<string, string>>;

/**
 * Kept only while no queue holds a message: what the functions put there is forgotten at the end, and must come again
 * from the streams. A function has put everything into the queues before its batch is noted here.
 */
export function openCheckpoints({ file, isIdle }: CheckpointSettings, closers: Closers): Checkpoints {
  const kept = read(file);
  // Of streams that no longer exist nothing is kept.
  const positions: Positions = {};
  let written = '';

  async function write(): Promise<void> {
    if (!isIdle()) return;
    const text = JSON.stringify(positions);
    if (text === written) return;
    written = text;
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  let writing = Promise.resolve();
  const writeNext = () => {
    // If it fails, more is read again at the next start.
    writing = writing.then(write).catch(() => undefined);
    return writing;
  };
  const timer = setInterval(writeNext, WRITE_MILLISECONDS);
  timer.unref();
  closers.defer(() => {
    clearInterval(timer);
    return writeNext();
  });

  return {
    find(mapping, shardId) {
      const key = keyOf(mapping);
      const found = kept[key]?.[shardId];
      if (found !== undefined) positions[key] = { ...positions[key], [shardId]: found };
      return found;
    },
    note(mapping, shardId, sequenceNumber) {
      const key = keyOf(mapping);
      positions[key] = { ...positions[key], [shardId]: sequenceNumber };
    },
  };
}

/** A table that was deleted and made again has another stream. */
const keyOf = ({ logicalId, streamArn }: StreamMapping) => `${logicalId} ${streamArn}`;

function read(file: string): Positions {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
