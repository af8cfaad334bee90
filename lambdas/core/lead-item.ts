import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { itemBytes, writeUnits } from './item-size.ts';
import { requireKnownVersion } from './schema-version.ts';
import type { Score, Signal } from './score/score-lead.ts';
import type { Surface } from './surfaces.ts';

export interface Lead extends Score {
  readonly leadId: string;
  readonly workspaceId: string;
  readonly formId: string;
  readonly surface: Surface;
  readonly receivedAt: string;
  /** The body's text exactly as sent. Not a DynamoDB map: numbers keep every digit and any nesting survives. */
  readonly body: string;
  /** In seconds since 1970; there if the form keeps its leads for a time. */
  readonly expiresAt?: number;
}

export type LeadItem = Readonly<Record<string, unknown>>;

const SCHEMA_VERSION = 1;

/** Body and signals go in as text, or compressed together whenever that saves a write unit. */
export function toLeadItem(lead: Lead): LeadItem {
  const { body, signals, ...rest } = lead;
  const base = { ...rest, part: 'lead', v: SCHEMA_VERSION };
  const plain = { ...base, body, signals: JSON.stringify(signals) };
  const plainUnits = writeUnits(itemBytes(plain));
  if (plainUnits === 1) return plain;
  const packed = { ...base, packed: compress(JSON.stringify([body, signals])) };
  return writeUnits(itemBytes(packed)) < plainUnits ? packed : plain;
}

/** A later version than this code knows is refused: see docs/schema-versions.md. */
export function fromLeadItem(item: LeadItem): Lead {
  requireKnownVersion(item, SCHEMA_VERSION);
  const { packed, part: _part, v: _version, ...rest }: Record<string, unknown> = item;
  if (packed instanceof Uint8Array) {
    const [body, signals] = JSON.parse(brotliDecompressSync(packed).toString('utf8')) as [string, Signal[]];
    return { ...(rest as Omit<Lead, 'body' | 'signals'>), body, signals };
  }
  return { ...rest, signals: JSON.parse(rest.signals as string) } as Lead;
}

// Quality 4 is where brotli's gain flattens while its cost is still a fraction of a millisecond for a typical body.
function compress(text: string): Buffer {
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
}
