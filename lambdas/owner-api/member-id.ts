import { createHash } from 'node:crypto';
import { base62 } from '../model/configuration.ts';

const PREFIX = 'mem_';
const ID_BYTES = 16;

/**
 * A member's id outside of the service. Cognito's own ids have a form of theirs, so an invitation that reached nobody
 * would look different. Computed, not stored: members and log entries of earlier versions get the same id.
 */
export function memberIdOf(workspaceId: string, userId: string): string {
  const digest = createHash('sha256').update(`${workspaceId}#${userId}`).digest();
  return `${PREFIX}${base62(digest.subarray(0, ID_BYTES))}`;
}

/** The id of a member in the activity log, where earlier versions wrote Cognito's. */
export function currentMemberId(workspaceId: string, id: string): string {
  return id.startsWith(PREFIX) ? id : memberIdOf(workspaceId, id);
}
