const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the lead that a message is about; nothing for a message that no retry will make readable. */
export function leadIdOf(messageBody: string): string | undefined {
  let message: unknown;
  try {
    message = JSON.parse(messageBody);
  } catch {
    return undefined;
  }
  const leadId = (message as { leadId?: unknown } | null)?.leadId;
  return typeof leadId === 'string' && UUID.test(leadId) ? leadId : undefined;
}
