import { writeSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// Runs a Node handler as Lambda would, with AWS replaced by the stand-in: one event per line of input.

const [, , folder = '', handler = ''] = process.argv;
const standIn = new URL(process.env.STAND_IN_URL ?? '');

// Lambda brings the SDK with it, and this project does not install that part of it.
registerHooks({
  resolve(specifier, context, nextResolve) {
    return specifier === '@aws-sdk/client-s3'
      ? { url: new URL('./client-s3.ts', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context);
  },
});

// CloudFormation's address is always one of https, so that the handler drops scheme and port.
https.request = ((options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) =>
  http.request(
    { ...options, hostname: standIn.hostname, port: standIn.port },
    onResponse,
  )) as typeof https.request;

const [file = '', name = ''] = handler.split('.');
const handlers = createRequire(import.meta.url)(join(folder, `${file}.js`));
for await (const line of createInterface({ input: process.stdin })) {
  await handlers[name](JSON.parse(line), { logStreamName: 'rehearsal' });
  writeSync(3, '\n');
}
