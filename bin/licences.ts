import { readFileSync } from 'node:fs';

/**
 * `npm run licences`: prints every package that is deployed or bundled, with its version and licence from the lock
 * file. Exits with status 1 if a licence is not on the list.
 */
interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Permissive licences, which require at most that the notice is kept. */
const ALLOWED = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'Unlicense'];

const LOCK_FILE = new URL('../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(process.argv[2] ?? LOCK_FILE, 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Node for each platform. Lambda has its own. */
const runtimes = Object.keys(packages['']?.optionalDependencies ?? {});

const deployed = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
  .filter(([path]) => !runtimes.some((name) => path === `node_modules/${name}`))
  .map(([path, { version = '?', license = 'none' }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, licence: license };
  })
  .sort((one, other) => one.name.localeCompare(other.name) || one.version.localeCompare(other.version));

for (const { name, version, licence } of deployed) console.log(`${licence.padEnd(14)}${name} ${version}`);

const refused = deployed.filter(({ licence }) => !ALLOWED.includes(licence));
for (const { name, version, licence } of refused) {
  console.error(`${name} ${version} has a licence that is not on the list: ${licence}`);
}
process.exitCode = refused.length > 0 ? 1 : 0;
