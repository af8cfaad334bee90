import './compile-cache.ts';
import { banner } from './banner.ts';
import { makeProgress, readOptions } from './command-line.ts';
import { listenForShutdown, StartupError } from './lifecycle.ts';
import type { LocalStack } from './start-local-stack.ts';

// As on Lambda; worker threads take it from here.
process.env.TZ = 'UTC';
// Files of this process and its children are readable by this user only.
process.umask(0o077);

const options = readOptions(process.argv.slice(2));
const stopping = listenForShutdown();
const progress = makeProgress(process.stderr);
// Not before the options are read: it loads the AWS SDK, and a wrong option should be named at once.
const { startLocalStack } = await import('./start-local-stack.ts');
let stack: LocalStack | undefined;
try {
  stack = await startLocalStack({
    port: options.port,
    dataDirectory: options.dataDirectory,
    enforceIam: options.enforceIam,
    allowLoopbackDestinations: options.allowLoopbackDestinations,
    keepExpired: options.keepExpired,
    scheduleAheadMilliseconds: options.scheduleAheadMilliseconds,
    smallAccount: options.smallAccount,
    progress,
    print: (line) => console.error(line),
    signal: stopping.signal,
  });
  progress.clear();
  console.log(options.json ? JSON.stringify(summary(stack)) : banner(stack, options.dataDirectory));
  await Promise.race([stopping.requested, stack.lost]);
} catch (error) {
  progress.clear();
  if (!stopping.signal.aborted) {
    console.error(error instanceof StartupError ? `error: ${error.message}` : error);
    process.exitCode = 1;
  }
}
await stack?.stop();
process.exit();

/** The output of --json. */
function summary(running: LocalStack) {
  const { ingestUrl, sourcesUrl, settingsUrl, consoleUrl, dynamodbEndpoint, sqsEndpoint } = running;
  const { cognitoEndpoint, outputsFile, mailFolder, eventBusFile, demo } = running;
  return {
    ingestUrl,
    sourcesUrl,
    settingsUrl,
    consoleUrl,
    dynamodbEndpoint,
    sqsEndpoint,
    cognitoEndpoint,
    outputsFile,
    mailFolder,
    eventBusFile,
    demo,
  };
}
