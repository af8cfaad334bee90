import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel has charged to a process so far, and what it holds now. */
export interface ProcessCost {
  readonly cpuMilliseconds: number;
  readonly residentMegabytes: number;
}

/** The kernel counts in these, on every Linux that Node runs on. */
const MILLISECONDS_PER_TICK = 10;

/** Whether the kernel tells of its processes as read here. */
export const COSTS_ARE_KNOWN = process.platform === 'linux';

export function costOf(pid: number): ProcessCost {
  const fields = statFields(pid);
  // utime and stime, the 14th and 15th of `man 5 proc_pid_stat`; the list begins after the name, with the third.
  const ticks = Number(fields[11]) + Number(fields[12]);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    cpuMilliseconds: ticks * MILLISECONDS_PER_TICK,
    residentMegabytes: Number(kilobytes) / 1_024,
  };
}

/** The child of a process that runs this program. */
export function childRunning(program: string, parentPid: number): number {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => isChild(pid, parentPid) && commandOf(pid).endsWith(program));
  if (found === undefined) throw new Error(`process ${parentPid} has no child that runs ${program}`);
  return found;
}

function isChild(pid: number, parentPid: number): boolean {
  try {
    return Number(statFields(pid)[1]) === parentPid;
  } catch {
    // It ended while we were looking.
    return false;
  }
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
}

/** Behind the name, which stands in brackets and may itself hold blanks. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
