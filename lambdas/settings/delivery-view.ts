import type { ListedForm } from '../stores/administration/forms.ts';
import type { LastUses } from '../stores/owner/last-uses.ts';
import type { SecretDates } from '../stores/owner/secret-dates.ts';
import { webhookUrl } from './views.ts';

interface Known {
  /** Not there when the form has no secret. */
  readonly secret: SecretDates | undefined;
  readonly uses: LastUses;
  readonly ingestUrl: string;
  readonly nowMilliseconds: number;
}

/** All that may be told of a form's secrets: whether they are there, and when they were used. */
export function deliveryView({ formId, slug }: Pick<ListedForm, 'formId' | 'slug'>, known: Known) {
  const address = { formId, url: webhookUrl(known.ingestUrl, slug) };
  return { ...address, ...secretsView(formId, known) };
}

function secretsView(formId: string, { secret, uses, nowMilliseconds }: Omit<Known, 'ingestUrl'>) {
  if (secret?.setAt === undefined) return { secret: { isSet: false } };
  const { setAt, previousEndsAtMilliseconds: endsAt = 0 } = secret;
  const current = uses.get(`secret#${formId}#current`);
  const previous = uses.get(`secret#${formId}#previous`);
  // Uses are kept by role: what was used as the current secret before this one was set is the previous one's.
  const isOfThisSecret = (usedAt: string | undefined) => usedAt !== undefined && usedAt >= setAt;
  const beforeRotation = isOfThisSecret(current) ? undefined : current;
  return {
    secret: { isSet: true, setAt, lastUsedAt: isOfThisSecret(current) ? current : undefined },
    ...(nowMilliseconds < endsAt && {
      previousSecret: {
        worksUntil: new Date(endsAt).toISOString(),
        lastUsedAt: isOfThisSecret(previous) ? previous : beforeRotation,
      },
    }),
  };
}
