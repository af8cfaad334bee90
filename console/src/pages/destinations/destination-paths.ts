export const DESTINATIONS_PATH = '/settings/destinations';

export function destinationPath(destinationId: string): string {
  return `${DESTINATIONS_PATH}/${encodeURIComponent(destinationId)}`;
}

export function messagePath(messageId: string): string {
  return `/settings/messages/${encodeURIComponent(messageId)}`;
}

export const destinationHref = (destinationId: string) =>
  `/destinations/${encodeURIComponent(destinationId)}`;
