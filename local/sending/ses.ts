import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '../lifecycle.ts';
import { ServiceFault, startJsonService } from './json-service.ts';

interface SendEmailRequest {
  readonly FromEmailAddress?: string;
  readonly Destination?: { readonly ToAddresses?: readonly string[] };
  readonly Content?: {
    readonly Simple?: {
      readonly Subject?: { readonly Data?: string };
      readonly Body?: { readonly Text?: { readonly Data?: string } };
    };
  };
}

export const SEND_EMAIL_PATH = '/v2/email/outbound-emails';

/** An SES that sends nothing: each plain-text mail becomes a file in the folder. */
export async function startSes(folder: string, closers: Closers): Promise<{ readonly endpoint: string }> {
  const endpoint = await startJsonService(async ({ url }, body) => {
    if (url !== SEND_EMAIL_PATH) throw new ServiceFault('NotFoundException', 'Only SendEmail is supported');
    const id = randomUUID();
    const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${id}.eml`);
    // Renamed when it is complete, for programs that watch the folder.
    await writeFile(`${file}.part`, toFile(id, body as SendEmailRequest), { mode: 0o600 });
    await rename(`${file}.part`, file);
    return { MessageId: id };
  }, closers);
  return { endpoint };
}

function toFile(id: string, { FromEmailAddress, Destination, Content }: SendEmailRequest): string {
  const subject = Content?.Simple?.Subject?.Data;
  const text = Content?.Simple?.Body?.Text?.Data;
  const to = Destination?.ToAddresses?.join(', ');
  if (!FromEmailAddress || !to || subject === undefined || text === undefined) {
    throw new ServiceFault('BadRequestException', 'Sender, recipient, subject and text are required');
  }
  const headers = {
    From: FromEmailAddress,
    To: to,
    Subject: encodeWords(subject),
    Date: new Date().toUTCString().replace('GMT', '+0000'),
    'Message-ID': `<${id}@localhost>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (lines.some((line) => /[\r\n]/.test(line))) {
    throw new ServiceFault('BadRequestException', 'A header contains a line break');
  }
  return [...lines, '', ...text.split(/\r?\n/)].join('\r\n');
}

const ASCII = /^[\x20-\x7e]*$/;
/** As many characters of four bytes as fit into one encoded word. */
const WORD_CHARACTERS = 11;

/** Headers are ASCII: https://www.rfc-editor.org/rfc/rfc2047 */
function encodeWords(text: string): string {
  if (ASCII.test(text) || /[\r\n]/.test(text)) return text;
  const characters = [...text];
  const words: string[] = [];
  while (characters.length > 0) {
    const word = characters.splice(0, WORD_CHARACTERS).join('');
    words.push(`=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`);
  }
  return words.join(' ');
}
