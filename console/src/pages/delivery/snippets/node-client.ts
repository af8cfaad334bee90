import { doubleQuoted, keyOf, type Language, writeFields } from './snippet.ts';

export const NODE_CLIENT: Language = {
  id: 'node-client',
  label: 'Node.js client',
  fileName: 'send-lead.mjs',
  command: 'node send-lead.mjs',
  needs: 'Node 18 or later',
  install: 'npm install ./lead-ingest-client-0.1.0.tgz',
  write: ({ url, lead }, { name, variable }) => {
    const { baseUrl, slug } = partsOf(url);
    return `import { randomUUID } from 'node:crypto';
import { makeClient } from 'lead-ingest-client';

const ${name} = process.env.${variable};
if (!${name}) throw new Error('${variable} is not set.');

const client = makeClient({
  baseUrl: ${doubleQuoted(baseUrl)},
${slug === undefined ? '' : `  slug: ${doubleQuoted(slug)},\n`}  ${name},
  // To try it out. Without this line, the client retries for an hour.
  giveUpAfterMilliseconds: 5_000,
});
const lead = {
${writeFields(lead, '  ', (key, value) => `${keyOf(key)}: ${doubleQuoted(value)}`)}};
// One key per lead. Store both until the lead is accepted, and send the same key if you send it again.
const answer = await client.sendLead(lead, { idempotencyKey: randomUUID() });
console.log(JSON.stringify(answer));
`;
  },
};

/** The client adds the path to the base URL itself. */
function partsOf(url: string): { baseUrl: string; slug?: string | undefined } {
  const [, baseUrl = url, slug] = /^(.*)\/api\/v1\/ingest(?:\/([^/]+))?$/.exec(url) ?? [];
  return { baseUrl, slug };
}
