import { readFileSync } from 'node:fs';

/**
 * `npm run licenses`: prints every package that is deployed or bundled, with its version and license from the lock
 * file. Exits with status 1 if a license is not on the list.
 */
interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Permissive licenses, which require at most that the notice is kept. */
const ALLOWED = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'Unlicense'];

const LOCK_FILE = new URL('../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(process.argv[2] ?? LOCK_FILE, 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Node for each platform. Lambda has its own. */
const runtimes = Object.keys(packages['']?.optionalDependencies ?? {});

/** The packages that one needs, with all that those need, by their paths. */
function neededBy(names: Readonly<Record<string, string>> = {}, from = '', found = new Set<string>()) {
  for (const name of Object.keys(names)) {
    const path = pathFrom(from, name);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    neededBy(packages[path]?.dependencies, path, found);
  }
  return found;
}

/** As Node looks for it: beside the package, then further up. */
function pathFrom(folder: string, name: string): string | undefined {
  const path = `${folder}/node_modules/${name}`.replace(/^\//, '');
  if (packages[path]) return path;
  return folder === '' ? undefined : pathFrom(folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''), name);
}

/** What the user of a workspace's package brings: CDK. npm does not call it a development dependency. */
const workspaces = Object.entries(packages).filter(([path]) => path.startsWith('packages/'));
const ofUsers = new Set(workspaces.flatMap(([, { peerDependencies }]) => [...neededBy(peerDependencies)]));
const ownNeeds = neededBy(packages['']?.dependencies);

const deployed = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
  .filter(([path]) => ownNeeds.has(path) || !ofUsers.has(path))
  .filter(([path]) => !runtimes.some((name) => path === `node_modules/${name}`))
  .map(([path, { version = '?', license = 'none' }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, license };
  })
  .sort((one, other) => one.name.localeCompare(other.name) || one.version.localeCompare(other.version));

for (const { name, version, license } of deployed) console.log(`${license.padEnd(14)}${name} ${version}`);

const refused = deployed.filter(({ license }) => !ALLOWED.includes(license));
for (const { name, version, license } of refused) {
  console.error(`${name} ${version} has a license that is not on the list: ${license}`);
}
process.exitCode = refused.length > 0 ? 1 : 0;
