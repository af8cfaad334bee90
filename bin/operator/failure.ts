/** An expected failure: its message is all that the operator sees, so it says what is wrong and what to do. */
export class Failure extends Error {
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = 1) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** The command line, or a file that it names, is wrong: nothing was tried. */
export class UsageFailure extends Failure {
  constructor(message: string) {
    super('usage', message, 2);
    this.name = 'UsageFailure';
  }
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is exceeded',
  EEXIST: 'it already exists',
  EFBIG: 'the file is too large',
  EIO: 'input/output error',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'part of the path is not a folder',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
};

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && code !== undefined && code in FILE_PROBLEMS;
}

/** "permission denied (EACCES)" */
export function fileProblem(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const words = FILE_PROBLEMS[code];
  return words ? `${words} (${code})` : code;
}

export function cannotWrite(file: string, error: unknown): Failure {
  return new Failure('file', `Cannot write ${file}: ${fileProblem(error)}.`);
}
