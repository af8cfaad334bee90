import { setFlagsFromString } from 'node:v8';

// The C library of most Linux systems gives each thread memory of its own, and keeps it. With one place for all threads,
// npm start takes 50 MB less after 1,000 leads, and no more processor time. Only the environment can say so, from the
// start of a process: this one becomes the same again, under its own number.
if (process.platform === 'linux' && process.execve && process.env.MALLOC_ARENA_MAX === undefined) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_ARENA_MAX: '1',
  });
}

// Saves some 40 MB. Not an option of npm start: that would also reduce the space for new objects to 1 MB per thread,
// whatever --max-semi-space-size says, and garbage collection would take a fifth of Node's processor time.
setFlagsFromString('--optimize-for-size');
