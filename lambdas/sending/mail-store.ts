import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { makeSocketPool } from '../aws/socket-pool.ts';
import type { OutboundResult } from './outbound-http.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly replyTo?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Come back in the events of SES. Letters, digits, `_` and `-` only. */
  readonly tags: Readonly<Record<string, string>>;
}

export interface Mailer {
  send(mail: Mail, signal: AbortSignal): Promise<OutboundResult>;
}

/** Through SES. Its errors are results: the message is retried like any other. */
export function makeMailer(from: string, configurationSet: string | undefined): Mailer {
  const client = new SESv2Client({ maxAttempts: 1, requestHandler: makeSocketPool()(8_000) });
  return {
    async send({ to, subject, text, html, replyTo, headers, tags }, signal) {
      const command = new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
        ...(configurationSet && { ConfigurationSetName: configurationSet }),
        EmailTags: Object.entries(tags).map(([Name, Value]) => ({ Name, Value })),
        Content: {
          Simple: {
            Subject: { Data: subject, Charset: 'UTF-8' },
            Body: {
              Text: { Data: text, Charset: 'UTF-8' },
              ...(html !== undefined && { Html: { Data: html, Charset: 'UTF-8' } }),
            },
            Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
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
