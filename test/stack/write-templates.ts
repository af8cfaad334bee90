import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyTemplate } from './every-template.ts';

/** `npm run synth:all -- FOLDER`: for tools that read templates, such as cfn-lint. */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Which folder? npm run synth:all -- cdk.out/templates');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const { name, template } of everyTemplate()) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(template, undefined, 2)}\n`);
  console.log(file);
}
