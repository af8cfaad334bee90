import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { makeSocketPool } from '../aws/socket-pool.ts';
import type { OutboundResult } from './outbound-http.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  send(mail: Mail, signal: AbortSignal): Promise<OutboundResult>;
}

/** Through SES. Its errors are results: the message is retried like any other. */
export function makeMailer(from: string): Mailer {
  const client = new SESv2Client({ maxAttempts: 1, requestHandler: makeSocketPool()(8_000) });
  return {
    async send({ to, subject, text }, signal) {
      const command = new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: { Data: subject, Charset: 'UTF-8' },
            Body: { Text: { Data: text, Charset: 'UTF-8' } },
          },
        },
      });
      try {
        await client.send(command, { abortSignal: signal });
        return { status: 200 };
      } catch (error) {
        const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
        // SES's own name of the error: MessageRejected, TooManyRequestsException.
        return { status: $metadata?.httpStatusCode, error: `ses_${name}` };
      }
    },
  };
}
