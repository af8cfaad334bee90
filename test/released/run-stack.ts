import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenForShutdown } from '../../local/lifecycle.ts';
import { startLocalStack } from '../../local/start-local-stack.ts';
import { releasedBundles, releasedTemplates } from './files.ts';

/**
 * The local stack as a process, with the present code or, with the argument `released`, the last release's, and on the data in
 * a folder if a second argument names one. Prints where it is, as JSON.
 */
process.env.TZ = 'UTC';
const stopping = listenForShutdown();
const folder = mkdtempSync(join(tmpdir(), 'lead-ingest-released-'));
const codeFolders = process.argv[2] === 'released' ? unpack() : new Map<string, string>();
const stack = await startLocalStack({
  port: 0,
  dataDirectory: process.argv[3],
  enforceIam: true,
  allowLoopbackDestinations: true,
  keepExpired: true,
  codeFolders,
  progress: { step: (_doing, _done, work) => work, clear: () => undefined },
  print: (line) => console.error(line),
  signal: stopping.signal,
});
console.log(JSON.stringify({ outputsFile: stack.outputsFile, codeFolder: folder }));
await Promise.race([stopping.requested, stack.lost]);
await stack.stop();
rmSync(folder, { recursive: true });
process.exit();

/** The folders by the functions' logical IDs. Code that runs leaves a file there, which shows that it did. */
function unpack(): Map<string, string> {
  const mark = `;require('node:fs').writeFileSync(__dirname + '/ran', '');`;
  for (const [name, code] of Object.entries(releasedBundles())) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.cjs'), code + mark);
  }
  const resources = releasedTemplates().flatMap((template) => Object.entries(template.resources));
  const functions = resources.filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  return new Map(
    functions.map(([id, { Properties }]) => [id, join(folder, (Properties.Code as { S3Key: string }).S3Key)]),
  );
}
