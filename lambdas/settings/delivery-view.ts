import type { StoredSecret } from '../stores/administration/delivery.ts';
import type { LastUses } from '../stores/owner/last-uses.ts';

/** All that may be told of a form's secrets: whether they are there, and when they were used. */
export function deliveryView(
  formId: string,
  stored: StoredSecret | undefined,
  uses: LastUses,
  nowMilliseconds: number,
) {
  if (stored?.secret === undefined) return { secret: { isSet: false } };
  const { setAt, previousSecret, previousEndsAtMilliseconds: endsAt = 0 } = stored;
  const current = uses.get(`secret#${formId}#current`);
  const previous = uses.get(`secret#${formId}#previous`);
  // Uses are kept by role: what was used as the current secret before this one was set is the previous one's.
  const isOfThisSecret = (usedAt: string | undefined) => usedAt !== undefined && usedAt >= setAt;
  const beforeRotation = isOfThisSecret(current) ? undefined : current;
  const inGrace = previousSecret !== undefined && nowMilliseconds < endsAt;
  return {
    secret: { isSet: true, setAt, lastUsedAt: isOfThisSecret(current) ? current : undefined },
    ...(inGrace && {
      previousSecret: {
        worksUntil: new Date(endsAt).toISOString(),
        lastUsedAt: isOfThisSecret(previous) ? previous : beforeRotation,
      },
    }),
  };
}
