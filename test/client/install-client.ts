import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runProgram } from '../programs.ts';

const PACKAGE = resolve('packages/client');

/** Packs the client and installs the file in a folder, without any registry. Returns the file. */
export async function installClient(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const npm = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await runProgram('npm', words, { cwd: folder, env: process.env });
    if (exitCode !== 0) throw new Error(`npm ${words[0]} failed: ${stdout}${stderr}`);
    return stdout.trim();
  };
  const [file = ''] = (await npm('pack', PACKAGE)).split('\n').slice(-1);
  await npm('install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, `./${file}`);
  return join(folder, file);
}
