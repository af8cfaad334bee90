import { toBytes, toText } from './bytes.ts';
import { readCurlBody } from './curl-body.ts';
import { readCurlHeaders } from './curl-headers.ts';
import { curlArguments } from './curl-options.ts';
import { readShell, type Word } from './shell-words.ts';

/** The request that a curl command makes, as far as the debugger needs it. */
export interface CurlRequest {
  readonly url?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** What is not in the command's text, so that the request is not known in whole. */
  readonly unreadable: readonly string[];
  /** What the service refuses in it, whatever the signature is. */
  readonly refused: readonly string[];
}

export function looksLikeCurl(text: string): boolean {
  return /^(?:.{0,200}\s)?(?:\S*\/)?curl(?:\.exe)?\s+\S/.test(
    text.slice(0, 2_000).replace(/\s+/g, ' ').trimStart(),
  );
}

/** Undefined where there is no curl command in the text. */
export function parseCurl(text: string): CurlRequest | undefined {
  const { commands, openQuote } = readShell(text);
  const found = commands.map(afterCurl).find((words) => words !== undefined);
  if (!found) return undefined;
  const given = curlArguments(found);
  const headers = readCurlHeaders(given);
  const body = readCurlBody(given);
  return {
    url: addressOf(given.filter(({ name }) => name === 'url' || name === '').map(({ value }) => value)),
    timestamp: headers.timestamp,
    signature: headers.signature,
    body: body.bytes === undefined ? undefined : toBytes(body.bytes),
    unreadable: [...ofTheShell(text, openQuote), ...headers.unreadable, ...body.unreadable],
    refused: [...body.refused, ...headers.refused(body)],
  };
}

function afterCurl(words: readonly Word[]): readonly Word[] | undefined {
  const at = words.findIndex(({ bytes }) => /^(?:.*\/)?curl(?:\.exe)?$/.test(bytes));
  return at < 0 ? undefined : words.slice(at + 1);
}

/** Values of options that are not known here stand among the addresses, but seldom look like one. */
function addressOf(candidates: readonly Word[]): string | undefined {
  const texts = candidates.filter(({ unknown }) => unknown.length === 0).map(({ bytes }) => toText(bytes));
  return texts.find((each) => /^https?:\/\//i.test(each)) ?? texts.find((each) => /[.:/]/.test(each));
}

function ofTheShell(text: string, openQuote: boolean): string[] {
  const windows = /\^\r?\n|\^"/.test(text);
  return [
    ...(windows
      ? [
          'This is a command for the Windows command prompt. Copy it as a command for bash, or paste its parts.',
        ]
      : []),
    ...(openQuote ? ['A quote is opened and never closed: part of the command is missing.'] : []),
  ];
}
