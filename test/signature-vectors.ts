import { readFileSync } from 'node:fs';

export interface SignatureVector {
  readonly name: string;
  readonly valid: boolean;
  readonly reason?: string;
  readonly why: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly bodyBase64?: string;
  readonly bodyText?: string;
  readonly bodyRule?: { start: string; repeat: string; times: number; end: string };
  readonly signature: string;
  readonly expected: string;
}

const FILE = new URL('../docs/api/signature-vectors.json', import.meta.url);
export const VECTORS_TEXT = readFileSync(FILE, 'utf8');
export const { serverTime, vectors } = JSON.parse(VECTORS_TEXT) as {
  serverTime: number;
  vectors: SignatureVector[];
};
