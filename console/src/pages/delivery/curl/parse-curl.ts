import { readCurlBody } from './curl-body.ts';
import { readCurlHeaders } from './curl-headers.ts';
import { curlArguments } from './curl-options.ts';
import { readShell, type ShellText } from './read-shell.ts';
import { toBytes, toText } from './shell-text.ts';
import { describeUnknown, type Word } from './words.ts';

/** The parts of a curl request that the debugger needs. */
export interface CurlRequest {
  /** Undefined if the command has no URL or it isn't known. */
  readonly url?: string | undefined;
  readonly hasAddress: boolean;
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** Parts of the request that aren't in the command. */
  readonly unreadable: readonly string[];
  /** Reasons to reject it regardless of the signature. Empty if the request isn't fully known. */
  readonly refused: readonly string[];
}

const FURTHEST_CURL = 10_000;

/** A JSON body may contain the word curl. */
export function looksLikeCurl(text: string): boolean {
  const start = text.slice(0, FURTHEST_CURL);
  return !/^\s*[{[]/.test(start) && /(?:^|[\s|;&(`/])curl(?:\.exe)?\s+\S/.test(start);
}

/** Undefined if the text has no curl command. */
export function parseCurl(text: string): CurlRequest | undefined {
  const shell = readShell(text);
  const found = shell.commands.map(afterCurl).find((words) => words !== undefined);
  if (!found) return undefined;
  const misread = ofTheShell(shell);
  if (misread.length > 0) return { hasAddress: true, unreadable: misread, refused: [] };
  const given = curlArguments(found);
  const headers = readCurlHeaders(given);
  const body = readCurlBody(given);
  const addresses = given.filter(({ name }) => name === 'url' || name === '').map(({ value }) => value);
  const unreadable = [
    ...describeUnknown('The command', addresses.filter(isList)),
    ...headers.unreadable,
    ...body.unreadable,
  ];
  return {
    url: addressOf(addresses),
    hasAddress: addresses.length > 0,
    timestamp: headers.timestamp,
    signature: headers.signature,
    body: body.bytes === undefined ? undefined : toBytes(body.bytes),
    unreadable,
    refused: unreadable.length > 0 ? [] : [...body.refused, ...headers.refused(body)],
  };
}

function afterCurl(words: readonly Word[]): readonly Word[] | undefined {
  const at = words.findIndex(({ bytes }) => /^(?:.*\/)?curl(?:\.exe)?$/.test(bytes));
  return at < 0 ? undefined : words.slice(at + 1);
}

/** `"${options[@]}"` or `"$@"`: unknown arguments. */
function isList({ unknown }: Word): boolean {
  return unknown.some(({ text }) => /^\$(?:[@*]|\{.*\[[@*]\].*\})$/.test(text));
}

/** Values of unknown options end up among the URLs but rarely look like one. */
function addressOf(candidates: readonly Word[]): string | undefined {
  const texts = candidates.filter(({ unknown }) => unknown.length === 0).map(({ bytes }) => toText(bytes));
  return texts.find((each) => /^https?:\/\//i.test(each)) ?? texts.find((each) => /[.:/]/.test(each));
}

/** Problems that make the whole parse unreliable. */
function ofTheShell({ isOpen, hasCarets, hasTicks }: ShellText): string[] {
  if (hasTicks)
    return ['This is a PowerShell command. Copy it as a bash command, or enter the values separately.'];
  return [
    ...(hasCarets
      ? [
          'This is a Windows Command Prompt command. Copy it as a bash command, or enter the values separately.',
        ]
      : []),
    ...(isOpen ? ['A quote or parenthesis is never closed. Part of the command may be missing.'] : []),
  ];
}
