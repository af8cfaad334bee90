import { once } from 'node:events';
import { rmSync } from 'node:fs';

export default async function stopStack() {
  rmSync(process.env.LEAD_INGEST_TEMPLATES, { recursive: true, force: true });
  const child = globalThis.localStackProcess;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  // It may still be starting, and then its end would count as a failure.
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  const said = Buffer.concat(globalThis.localStackComplaints).toString();
  const denials = said.split('\n').filter((line) => line.startsWith('IAM '));
  // A function may pass over a denial, and so no test may have failed.
  if (denials.length > 0) throw new Error(`The roles of the template are too narrow:\n${denials.join('\n')}`);
}
