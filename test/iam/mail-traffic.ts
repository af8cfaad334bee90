import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runLeadctl } from '../leadctl/run-leadctl.ts';
import { until } from '../until.ts';

/** The recipient of a destination confirms with the link in the mail, and later the mail bounces. */
export async function respondToMail(
  outputsFile: string,
  { workspaceId, destinationId, email }: Readonly<Record<'workspaceId' | 'destinationId' | 'email', string>>,
): Promise<void> {
  const folder = join(dirname(outputsFile), 'mail');
  const mailsTo = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .filter((mail) => mail.includes(`To: ${email}`));
  const received = (count: number) =>
    until(
      async () => mailsTo(),
      (mails) => mails.length >= count,
    );
  const [asked = ''] = await received(1);
  const [confirm = ''] = asked.match(/^http\S+$/m) ?? [];
  for (const method of ['GET', 'POST']) {
    const { status } = await fetch(confirm, { method });
    if (status !== 200) throw new Error(`${method} of a link: ${status}`);
  }
  await received(2);
  const of = ['--workspace', workspaceId, '--destination', destinationId];
  const { stderr } = await runLeadctl(['--outputs', outputsFile, 'mail', 'bounce', ...of], { stdin: '' });
  if (stderr !== '') throw new Error(stderr);
}
