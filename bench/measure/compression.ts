import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { BODIES, SIZES, type Size } from '../fixtures/index.ts';
import { median } from './cpu.ts';

export interface Compressed {
  readonly codec: string;
  readonly size: Size;
  readonly bytes: number;
  readonly microseconds: number;
}

const brotli = (quality: number) => (text: string) =>
  brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });

const zstd = (level: number) => (text: string) =>
  zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: level } });

const CODECS: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: (text) => gzipSync(text),
  'zstd 3': zstd(3),
  'zstd 9': zstd(9),
  'brotli 4, as used': brotli(4),
  'brotli 6': brotli(6),
};

const RUNS = 41;

/** The size of the compressed bodies per codec, and the time it takes. Codecs take turns. */
export function measureCompression(): Compressed[] {
  return SIZES.flatMap((size) => {
    const body = BODIES[size];
    const times = new Map<string, number[]>();
    for (let run = 0; run < RUNS; run += 1) {
      for (const [codec, compress] of Object.entries(CODECS)) {
        const startedAt = performance.now();
        compress(body);
        times.set(codec, [...(times.get(codec) ?? []), (performance.now() - startedAt) * 1_000]);
      }
    }
    return Object.entries(CODECS).map(([codec, compress]) => ({
      codec,
      size,
      bytes: compress(body).length,
      microseconds: median(times.get(codec) ?? []),
    }));
  });
}
