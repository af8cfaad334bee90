/** A complete receiver, for the owner's developers. */
export const VERIFY_SNIPPET = `// npm install standardwebhooks
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SIGNING_SECRET);

createServer(async (request, response) => {
  // The signature covers the exact bytes: verify first, then parse.
  const body = await text(request);
  try {
    const { type, data } = webhook.verify(body, request.headers);
    // The same webhook-id can arrive twice: store it and skip repeats.
    console.log(request.headers['webhook-id'], type, data.lead.submissionId);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 4000);
`;

export const HEADER_WORDS = [
  { name: 'webhook-id', meaning: 'The ID of the message. Retries and replays have the same one.' },
  { name: 'webhook-timestamp', meaning: 'When this attempt was made, in seconds since 1970.' },
  {
    name: 'webhook-signature',
    meaning:
      'One or two signatures, separated by a space: v1, a comma, and the base64 HMAC-SHA256 of “id.timestamp.body”. The key is the base64-decoded part after whsec_. One match is enough.',
  },
];
