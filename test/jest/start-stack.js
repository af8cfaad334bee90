import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { copyFollowedTables } from '../local-stack.ts';

/**
 * Starts the whole service once for a test run, as `npm start` does, while unit tests run. Tests find it through its
 * outputs file; `node-environment.js` waits for it.
 */
export default function startStack() {
  // Templates take seconds each, and are the same in every worker.
  process.env.LEAD_INGEST_TEMPLATES ??= mkdtempSync(join(tmpdir(), 'lead-ingest-templates-'));
  const running = process.env.LEAD_INGEST_OUTPUTS;
  if (running && !existsSync(running)) throw new Error(`LEAD_INGEST_OUTPUTS names no file: ${running}`);
  if (running) return copyFollowedTables(running);
  const outputs = join(process.env.LEAD_INGEST_TEMPLATES, 'outputs.json');
  process.env.LEAD_INGEST_OUTPUTS = outputs;
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
  const stopTests = (code) => {
    process.stderr.write(`The local stack did not start (exit ${code}):\n${Buffer.concat(complaints)}\n`);
    process.exit(1);
  };
  child.once('exit', stopTests);
  createInterface({ input: child.stdout }).once('line', async (ready) => {
    child.off('exit', stopTests);
    const { outputsFile } = JSON.parse(ready);
    await copyFollowedTables(outputsFile);
    // A test file that Jest runs in this process may hide the variable now.
    symlinkSync(outputsFile, outputs);
  });
}
