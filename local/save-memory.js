// The C library of most Linux systems gives each thread memory of its own, and keeps it. With one place for all threads,
// npm start takes 50 MB less after 1,000 leads, and no more processor time. Only the environment can say so, from the
// start of a process: this one becomes the same again, under its own number.
if (process.platform === 'linux' && process.execve && process.env.MALLOC_ARENA_MAX === undefined) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_ARENA_MAX: '1',
  });
}
