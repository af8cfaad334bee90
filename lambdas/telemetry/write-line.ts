export type WriteLine = (line: string) => void;

/** Not console.log: with Lambda's JSON logging that would wrap the line, and CloudWatch would find no metrics in it. */
export const toStdout: WriteLine = (line) => void process.stdout.write(`${line}\n`);
