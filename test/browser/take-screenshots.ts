import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Saves a screenshot of every page in docs/images/: `npm run screenshots`. */
const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url));

const stack = spawn(process.execPath, ['local/main.ts', '--ephemeral', '--json', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = (await once(createInterface({ input: stack.stdout }), 'line')) as [string];
process.env.LEAD_INGEST_OUTPUTS = JSON.parse(line).outputsFile;
try {
  await mkdir(FOLDER, { recursive: true });
  // Imported only now, because these modules read the outputs file when they load.
  const { drawPages } = await import('./draw-pages.ts');
  await drawPages(FOLDER);
} finally {
  stack.kill('SIGTERM');
  await once(stack, 'exit');
}
