import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts the whole service once for a test run, as `npm start` does. Tests find it through its outputs file. */
export default async function startStack() {
  // Templates take seconds each, and are the same in every worker.
  process.env.LEAD_INGEST_TEMPLATES ??= mkdtempSync(join(tmpdir(), 'lead-ingest-templates-'));
  if (process.env.LEAD_INGEST_OUTPUTS) return;
  const options = ['--ephemeral', '--json', '--port', '0', '--enforce-iam', '--allow-loopback-destinations'];
  // Tests choose the time. By the real clock, what they store may have expired long ago.
  options.push('--keep-expired');
  // The channel ends with this process, however that ends, and the stack ends with the channel.
  const child = spawn(process.execPath, ['local/main.ts', ...options], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.channel?.unref();
  const complaints = [];
  child.stderr.on('data', (chunk) => complaints.push(chunk));
  globalThis.localStackProcess = child;
  globalThis.localStackComplaints = complaints;
  const ready = await new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      reject(new Error(`The local stack did not start (exit ${code}):\n${Buffer.concat(complaints)}`)),
    );
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  process.env.LEAD_INGEST_OUTPUTS = JSON.parse(ready).outputsFile;
}
