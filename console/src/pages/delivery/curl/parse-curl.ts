import { readCurlBody } from './curl-body.ts';
import { readCurlHeaders } from './curl-headers.ts';
import { curlArguments } from './curl-options.ts';
import { readShell, type ShellText } from './read-shell.ts';
import { toBytes, toText } from './shell-text.ts';
import { describeUnknown, type Word } from './words.ts';

/** The request that a curl command makes, as far as the debugger needs it. */
export interface CurlRequest {
  /** Undefined where the command has no address, or one that is not in its text. */
  readonly url?: string | undefined;
  readonly hasAddress: boolean;
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** What is not in the command's text, so that the request is not known in whole. */
  readonly unreadable: readonly string[];
  /** What the service refuses in it, whatever the signature is. Nothing is said of a request that is not known. */
  readonly refused: readonly string[];
}

const FURTHEST_CURL = 10_000;

/** A body is JSON, and may well speak of curl. */
export function looksLikeCurl(text: string): boolean {
  const start = text.slice(0, FURTHEST_CURL);
  return !/^\s*[{[]/.test(start) && /(?:^|[\s|;&(`/])curl(?:\.exe)?\s+\S/.test(start);
}

/** Undefined where there is no curl command in the text. */
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

/** `"${options[@]}"` or `"$@"`: any number of arguments, options among them. */
function isList({ unknown }: Word): boolean {
  return unknown.some(({ text }) => /^\$(?:[@*]|\{.*\[[@*]\].*\})$/.test(text));
}

/** Values of options that are not known here stand among the addresses, but seldom look like one. */
function addressOf(candidates: readonly Word[]): string | undefined {
  const texts = candidates.filter(({ unknown }) => unknown.length === 0).map(({ bytes }) => toText(bytes));
  return texts.find((each) => /^https?:\/\//i.test(each)) ?? texts.find((each) => /[.:/]/.test(each));
}

/** Where this is so, all that was read may be wrong. */
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
