import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { Aws } from './aws.ts';
import { asking, type Finding, fail, ok, skip, unless, warn } from './check.ts';

/** Whether SES sends as the sender of mail, and to whom. */
export async function mailSender(aws: Aws, mailFrom: string | undefined): Promise<Finding> {
  if (mailFrom === undefined) return skip('mailFrom is not set');
  const ses = new SESv2Client(aws.config());
  try {
    const verified = await verifiedIdentity(ses, mailFrom);
    if (verified === undefined) return notVerified(mailFrom, aws.region);
    const call = ses.send(new GetAccountCommand({}));
    const { ProductionAccessEnabled, SendingEnabled } = await asking('ses:GetAccount', call);
    if (SendingEnabled === false) {
      return fail(
        `SES does not send mail of this account in ${aws.region}`,
        'Open the account dashboard of SES, which says why.',
      );
    }
    if (!ProductionAccessEnabled) {
      return warn(
        'SES is in the sandbox: it sends only to addresses that you verified',
        'Request production access on the account dashboard of SES, or verify each recipient.',
      );
    }
    return ok(`${mailFrom}, verified by ${verified}, with production access`);
  } finally {
    ses.destroy();
  }
}

/** The address itself, or its domain. */
async function verifiedIdentity(ses: SESv2Client, mailFrom: string): Promise<string | undefined> {
  for (const EmailIdentity of [mailFrom, domainOf(mailFrom)]) {
    const call = ses.send(new GetEmailIdentityCommand({ EmailIdentity }));
    const found = await unless(['NotFoundException'], asking('ses:GetEmailIdentity', call));
    if (found?.VerifiedForSendingStatus) return EmailIdentity;
  }
  return undefined;
}

function notVerified(mailFrom: string, region: string): Finding {
  return fail(
    `SES has verified neither ${mailFrom} nor its domain in ${region}`,
    `Run: aws sesv2 create-email-identity --email-identity ${domainOf(mailFrom)}, and add the DNS records that it returns. Or use the address itself, and follow the link in the mail to it.`,
  );
}

function domainOf(mailFrom: string): string {
  return mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
}
