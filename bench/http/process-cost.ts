import { readdirSync, readFileSync } from 'node:fs';

/** What the kernel has charged to a process so far, and what it holds now. */
export interface ProcessCost {
  readonly cpuMilliseconds: number;
  readonly residentMegabytes: number;
}

/** The kernel's unit of CPU time, on every Linux that Node runs on. */
const MILLISECONDS_PER_TICK = 10;

/** Only Linux has /proc. */
export const CAN_MEASURE = process.platform === 'linux';

export function costOf(pid: number): ProcessCost {
  const fields = statFields(pid);
  // utime and stime, fields 14 and 15 of `man 5 proc_pid_stat`. This list starts with field 3.
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
    // It ended in the meantime.
    return false;
  }
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
}

/** The fields after the name, which is in brackets and may contain spaces. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
