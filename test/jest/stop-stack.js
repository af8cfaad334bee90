import { once } from 'node:events';

export default async function stopStack() {
  const child = globalThis.localStackProcess;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
