/** What was done, by the route of the settings API. `{…}` in a route stands for the id of what was changed. */
export const ACTIVITY_WORDS: Readonly<Record<string, string>> = {
  'POST /settings/forms': 'Created a form',
  'PATCH /settings/forms/{formId}': 'Changed a form',
  'POST /settings/forms/{formId}/archive': 'Archived a form',
  'PUT /settings/forms/{formId}/delivery/secret': 'Set a webhook secret',
  'POST /settings/forms/{formId}/delivery/rotate': 'Rotated a webhook secret',
  'DELETE /settings/forms/{formId}/delivery/previous-secret': 'Ended the previous webhook secret',
  'POST /settings/forms/{formId}/delivery/debug': 'Debugged a signature',
  'PUT /settings/forms/{formId}/provider/secret': 'Set the signing secret of a provider',
  'DELETE /settings/forms/{formId}/provider/previous-secret':
    'Ended the previous signing secret of a provider',
  'POST /settings/forms/{formId}/provider/preview': 'Previewed an example of a provider',
  'POST /settings/forms/{formId}/test': 'Sent a test lead',
  'DELETE /settings/leads/{leadId}': 'Deleted a lead',
  'POST /settings/leads/{leadId}/review': 'Reviewed a lead',
  'POST /settings/leads/review': 'Reviewed several leads',
  'POST /settings/leads/handled': 'Marked leads as handled or to do',
  'PUT /settings/senders': 'Changed the list of senders',
  'PATCH /settings/learning': 'Switched learning from verdicts on or off',
  'POST /settings/people/export': 'Exported everything from one person',
  'POST /settings/people/erase': 'Erased everything from one person',
  'POST /settings/tokens': 'Created a server token',
  'DELETE /settings/tokens/{tokenId}': 'Revoked a server token',
  'POST /settings/destinations': 'Created a destination',
  'PATCH /settings/destinations/{destinationId}': 'Changed a destination',
  'DELETE /settings/destinations/{destinationId}': 'Deleted a destination',
  'POST /settings/destinations/{destinationId}/rotate': 'Rotated a signing secret',
  'POST /settings/destinations/{destinationId}/test': 'Sent a test event',
  'POST /settings/destinations/{destinationId}/try': 'Tried a destination',
  'POST /settings/destinations/{destinationId}/confirmation': 'Sent a confirmation email',
  'POST /settings/destinations/{destinationId}/replay': 'Sent failed messages again',
  'POST /settings/messages/{messageId}/replay': 'Sent a message again',
  'POST /settings/alerts/{alertId}/seen': 'Marked an alert as seen',
  'PUT /settings/alert-settings': 'Changed the alert settings',
  'POST /settings/members': 'Invited someone',
  'PATCH /settings/members/{memberId}': 'Changed a role',
  'DELETE /settings/members/{memberId}': 'Removed someone',
  'POST /settings/api-keys': 'Created an API key',
  'DELETE /settings/api-keys/{keyId}': 'Revoked an API key',
};

/** The route itself if it is newer than this page. */
export const activityText = (action: string) => ACTIVITY_WORDS[action] ?? action;

interface Target {
  readonly text: string;
  readonly href?: string;
}

type Names = ReadonlyMap<string, string>;

/** What is known by name. Undefined while it is being loaded, or if the reader may not see it. */
export interface KnownNames {
  readonly forms: Names | undefined;
  readonly destinations: Names | undefined;
  readonly members: Names | undefined;
  readonly tokens: Names | undefined;
  readonly keys: Names | undefined;
}

/** What was changed, with a link where there is a page for it. People can't tell IDs apart, so none is shown. */
export function activityTarget(
  targets: Readonly<Record<string, string>>,
  names: KnownNames,
): Target | undefined {
  const { formId, memberId, tokenId, keyId, alertId, messageId } = targets;
  const leadId = targets.leadId ?? targets.submissionId;
  const destinationId = targets.destinationId ?? destinationOf(messageId);
  if (destinationId !== undefined) {
    return named(names.destinations, destinationId, 'destination', `/destinations/${destinationId}`);
  }
  if (tokenId !== undefined) return named(names.tokens, tokenId, 'server token', '/tokens');
  if (keyId !== undefined) return named(names.keys, keyId, 'API key', '/api-keys');
  if (memberId !== undefined) return named(names.members, memberId, 'person', '/team', 'Former member');
  if (alertId !== undefined) return { text: 'Alert', href: `/alerts?alert=${alertId}` };
  if (leadId !== undefined) {
    const form = formId === undefined ? undefined : named(names.forms, formId, 'form', '');
    return form
      ? { text: `Lead in ${form.text}`, href: `/forms/${formId}/leads/${leadId}` }
      : { text: 'Lead' };
  }
  if (formId !== undefined) return named(names.forms, formId, 'form', `/forms/${formId}`);
  const [first] = Object.values(targets);
  return first === undefined ? undefined : { text: first };
}

/** What has no name any more was deleted, and its page is gone. */
function named(names: Names | undefined, id: string, what: string, href: string, gone?: string): Target {
  if (names === undefined) return { text: what.charAt(0).toUpperCase() + what.slice(1), href };
  const name = names.get(id);
  return name === undefined ? { text: gone ?? `Deleted ${what}` } : { text: name, href };
}

/** A message's ID begins with that of its destination. */
const destinationOf = (messageId = '') => {
  const [, id] = /^msg_([0-9A-Za-z]+)_/.exec(messageId) ?? [];
  return id === undefined ? undefined : `dest_${id}`;
};
