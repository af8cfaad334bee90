import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compare } from '../../lib/upgrade/compare.ts';
import { INTENDED_CHANGES } from '../../lib/upgrade/intended-changes.ts';
import type { Resources } from '../../lib/upgrade/normalize.ts';
import { synthesizeResources } from '../../lib/upgrade/synthesize.ts';
import { releasedTemplates } from './files.ts';

/** The section of a version, without its heading; undefined if there is none. */
export function notesOf(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find((each) => each.startsWith(`${version} `));
  return section?.slice(section.indexOf('\n')).trim();
}

/** What an update from one release to the next changes, for each of the settings that the first one was made with. */
export function compareTemplates(before: string, synthesize = synthesizeResources): string {
  return releasedTemplates(before)
    .map(({ name, context, resources }) => {
      const after = synthesize(context).resources;
      return [`## ${name}`, ...differences(resources, after), ...dangers(resources, after)].join('\n');
    })
    .join('\n\n');
}

function differences(before: Resources, after: Resources): string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return ids.flatMap((id) => {
    const [old, now] = [before[id], after[id]];
    if (isDeepStrictEqual(old, now)) return [];
    const sign = old === undefined ? '+' : now === undefined ? '-' : '~';
    return [`${sign} ${id} (${(now ?? old)?.Type})`];
  });
}

/** What a rollback does not undo. */
function dangers(before: Resources, after: Resources): string[] {
  return compare(before, after).map(({ change, message }) => {
    const reason = INTENDED_CHANGES.find((each) => each.change === change)?.reason;
    return `! ${message}${reason === undefined ? '' : ` On purpose: ${reason}`}`;
  });
}

const PACKAGES = ['packages/cdk', 'packages/client', 'packages/leadctl'];

/** `npm run make:release-files -- TAG FOLDER`: everything that a release consists of, except for its attestation. */
function main([tag = '', folder = 'release']: readonly string[]): void {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const notes = notesOf(readFileSync('CHANGELOG.md', 'utf8'), version);
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and package.json has version ${version}`);
  if (notes === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 28,
    });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('notes.md', `${notes}\n`);
  for (const path of PACKAGES) run('npm', 'pack', '-w', path, '--pack-destination', resolve(folder));
  write(
    'sbom.cdx.json',
    run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'),
  );
  const [last] = run('git', 'tag', '--merged', `${tag}^`, '--sort=-version:refname', '--list', 'v*').split(
    '\n',
  );
  const comparison = last
    ? `# From ${last} to ${tag}\n\n${compareTemplates(run('git', 'show', `${last}:test/released/templates.json`))}`
    : `${tag} is the first release: there is nothing to compare it with.`;
  write('template-comparison.txt', `${comparison}\n`);
}

if (import.meta.main) main(process.argv.slice(2));
