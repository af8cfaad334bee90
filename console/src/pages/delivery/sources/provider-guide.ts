import type { ProviderName } from '#console/api/types.ts';
import { shellQuoted } from '../snippets/snippet.ts';

/** What an owner does at a provider, in the words of its interface. Facts about signatures are in providers.ts. */
interface ProviderGuide {
  readonly steps: readonly string[];
  /** Where subscriptions are made by API. */
  readonly commands?: (input: CommandInput) => readonly Command[];
  /** Where the secret is entered or found. */
  readonly secretHint: string;
  /** How to cause a delivery. */
  readonly tryIt: string;
  /** What happens to a delivery that was rejected. */
  readonly retries: string;
}

interface CommandInput {
  readonly url: string;
  /** Only while it is shown. */
  readonly secret: string | undefined;
}

interface Command {
  readonly what: string;
  readonly text: string;
}

const SENDER_RETRIES = 'Whether a rejected delivery is sent again depends on the sender.';

export const PROVIDER_GUIDE: Readonly<Record<ProviderName, ProviderGuide>> = {
  typeform: {
    steps: [
      'Open your form in Typeform and choose Connect, then Webhooks.',
      'Choose Add a webhook and paste the URL above as the endpoint.',
      'Edit the new webhook, enter the signing secret from below under Secret, and save.',
      'Turn the webhook on.',
    ],
    secretHint: 'Generate a secret here and enter it in Typeform, in the webhook’s settings, under Secret.',
    tryIt: 'Fill in your form once. A test request of Typeform works too.',
    retries: 'Typeform repeats a rejected delivery every 2 to 3 minutes for 10 hours.',
  },
  tally: {
    steps: [
      'Publish your form in Tally and open its Integrations tab.',
      'Choose Connect next to Webhooks and paste the URL above as the endpoint URL.',
      'Add a signing secret and enter the one from below.',
      'Save the webhook and check that it is on.',
    ],
    secretHint: 'Generate a secret here and enter it in Tally as the webhook’s signing secret.',
    tryIt: 'Fill in your form once.',
    retries: 'Tally repeats a rejected delivery a few times, the last time about a day later.',
  },
  framer: {
    steps: [
      'Select the form on the canvas in Framer.',
      'In the right sidebar, choose Add next to Send To, then Webhook.',
      'Paste the URL above, and enter the signing secret from below as the webhook’s secret.',
      'Publish your site.',
    ],
    secretHint: 'Generate a secret here and enter it in Framer, in the webhook’s settings.',
    tryIt: 'Fill in the form on your published site.',
    retries: 'Framer repeats a rejected delivery up to 5 times.',
  },
  webflow: {
    steps: [
      'Create an app in your Webflow workspace and authorize it for your site. Webflow signs only webhooks that an app creates.',
      'Create the webhook with the app’s access token and the command below.',
      'Copy the app’s client secret and paste it below.',
    ],
    commands: ({ url }) => [
      {
        what: 'command to create the webhook',
        text: curl('https://api.webflow.com/v2/sites/YOUR_SITE_ID/webhooks', '$WEBFLOW_TOKEN', {
          triggerType: 'form_submission',
          url,
        }),
      },
    ],
    secretHint: 'Paste the client secret of the app that created the webhook.',
    tryIt: 'Fill in the form on your published site.',
    retries: 'Webflow repeats a rejected delivery 3 times, 10 minutes apart.',
  },
  calendly: {
    steps: [
      'Generate a signing secret below.',
      'In Calendly, open Integrations & apps, then API and webhooks, and create a personal access token. Webhooks need a paid plan. Save the token as the environment variable CALENDLY_TOKEN.',
      'Run the first command. Its output names your organization.',
      'Put the organization and the signing secret into the second command and run it. You need to be an owner or admin of the organization.',
    ],
    commands: ({ url, secret }) => [
      {
        what: 'command to find your organization',
        text: `curl https://api.calendly.com/users/me \\\n  -H "Authorization: Bearer $CALENDLY_TOKEN"`,
      },
      {
        what: 'command to create the subscription',
        text: curl('https://api.calendly.com/webhook_subscriptions', '$CALENDLY_TOKEN', {
          url,
          events: ['invitee.created'],
          organization: 'https://api.calendly.com/organizations/YOUR_ORGANIZATION',
          scope: 'organization',
          signing_key: secret ?? 'YOUR_SIGNING_SECRET',
        }),
      },
    ],
    secretHint: 'Generate a secret here and send it to Calendly as signing_key, with the command above.',
    tryIt: 'Book one of your own events.',
    retries:
      'Calendly repeats a rejected delivery for 24 hours. Then it disables the webhook, and you have to create it again.',
  },
  calcom: {
    steps: [
      'In Cal.com, open Settings, then Webhooks under Developer, and choose New.',
      'Paste the URL above as the subscriber URL.',
      'Keep only Booking created as event trigger.',
      'Enter the signing secret from below as the secret. Leave the payload template as it is, and create the webhook.',
    ],
    secretHint: 'Generate a secret here and enter it in Cal.com, in the webhook’s settings, under Secret.',
    tryIt: 'Book one of your own events. A ping test shows only that the secret is right.',
    retries:
      'Cal.com sends each delivery once: a rejected one is lost. Copy the booking from Cal.com if you need it as a lead.',
  },
  stripe: {
    steps: [
      'In the Stripe Dashboard, open Workbench, then Webhooks, and add a destination.',
      'Select the events that you choose below, such as checkout.session.completed.',
      'Choose Webhook endpoint as the type and paste the URL above.',
      'Open the new destination, reveal its signing secret (whsec_…) and paste it below.',
    ],
    secretHint:
      'Paste the signing secret of this endpoint. It begins with whsec_. Test mode and live mode have different ones.',
    tryIt: 'Complete a checkout in test mode. Its lead is marked as a test.',
    retries:
      'Stripe repeats a rejected delivery for up to 3 days. You can also resend the event in the Dashboard.',
  },
  shopify: {
    steps: [
      'In the Shopify admin, open Settings, then Notifications, then Webhooks.',
      'Create a webhook for the event Customer creation, with the format JSON and the URL above.',
      'Copy the secret with which Shopify signs, shown on the same page, and paste it below. For a webhook of your own app, use the app’s client secret.',
    ],
    secretHint: 'Paste the secret shown on Shopify’s Webhooks page, or the client secret of your app.',
    tryIt:
      'Send a test notification, or create a customer. The lead of a test notification is marked as a test.',
    retries: 'Shopify repeats a rejected delivery 8 times in 4 hours, then may delete the webhook.',
  },
  'standard-webhooks': {
    steps: [
      'Open the webhook settings of the service that sends the leads, and add an endpoint with the URL above.',
      'Copy its signing secret (whsec_…) and paste it below, or generate one below and enter it there.',
    ],
    secretHint: 'Both sides need the same secret. It begins with whsec_.',
    tryIt: 'Let the service send a test event.',
    retries: SENDER_RETRIES,
  },
  svix: {
    steps: [
      'Open the webhook settings of the service that sends the leads, and choose Add Endpoint.',
      'Paste the URL above and create the endpoint.',
      'Open the endpoint, reveal its signing secret (whsec_…) and paste it below.',
    ],
    secretHint: 'Paste the signing secret of the endpoint. It begins with whsec_.',
    tryIt: 'Send an example from the endpoint’s Testing tab.',
    retries: `${SENDER_RETRIES} You can resend it from the endpoint’s page.`,
  },
  github: {
    steps: [
      'Open the webhook settings of the service that sends the leads. It must sign as GitHub does, in X-Hub-Signature-256.',
      'Add a webhook with the URL above and the content type application/json.',
      'Enter the signing secret from below as the secret.',
    ],
    secretHint: 'Generate a secret here and enter it at the sender, or paste the one set there.',
    tryIt: 'Let the service send a test.',
    retries: SENDER_RETRIES,
  },
};

/** The token comes from the environment, so that it stays out of the shell's history. */
function curl(address: string, token: string, body: object): string {
  return [
    `curl -X POST ${address}`,
    `  -H "Authorization: Bearer ${token}"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${shellQuoted(JSON.stringify(body))}`,
  ].join(' \\\n');
}

interface ToolGuide {
  readonly name: string;
  readonly steps: readonly string[];
}

/** Tools that can set a header and look only at the status. */
export const TOOL_GUIDE: readonly ToolGuide[] = [
  {
    name: 'Zapier',
    steps: [
      'Add the action Webhooks by Zapier with the event POST, and paste the URL.',
      'Choose json as payload type, and add one line per field under Data, such as name, email and message.',
      'Under Headers, add X-API-Key with the token as value, and test the step.',
    ],
  },
  {
    name: 'Make',
    steps: [
      'Add the module HTTP, Make a request, with the URL and the method POST.',
      'Add the header X-API-Key with the token as value.',
      'Choose JSON as content type of the body, and enter one object with your fields. If there is the option Evaluate all states as errors, turn it on.',
    ],
  },
  {
    name: 'n8n',
    steps: [
      'Add an HTTP Request node with the method POST and the URL.',
      'As authentication, choose Generic, then Header Auth, with the name X-API-Key and the token as value.',
      'Turn on Send Body with the type JSON and add your fields. In the node’s settings, turn on Retry On Fail.',
    ],
  },
];
