import type { LeadFields } from './lead-fields.ts';
import { Rejection } from './reasons.ts';

export interface ParsedBody {
  /** The text exactly as sent, and as stored. */
  readonly text: string;
  readonly fields: LeadFields;
}

// ignoreBOM keeps the mark in the text, where JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseJsonObject(bytes: Buffer | undefined): ParsedBody {
  if (!bytes) throw new Rejection('body_invalid_json', { problem: 'damaged base64' });
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Rejection('body_invalid_json', { problem: 'not UTF-8' });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, so it goes nowhere.
    const problem = text.startsWith('\ufeff') ? 'byte order mark' : text.trim() ? 'not JSON' : 'empty';
    throw new Rejection('body_invalid_json', { problem });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Rejection('body_not_object', { type: describe(value) });
  }
  return { text, fields: value as LeadFields };
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
