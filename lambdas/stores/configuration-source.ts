import type { Workspace } from '../core/configuration.ts';
import type { Attribution } from '../core/rejection.ts';

/**
 * How configuration is read, strongly consistent. The two readings exist for the order "version, then record": a
 * record may only be trusted with a `configVersion` that was read before it.
 *
 *     find         records ──> workspace (version)     finds whose it is; good enough to reject by
 *     readAgain                          records       good enough to accept by, stamped with that version
 *
 * Record first and version second would accept a token that was revoked in between, with the new version.
 */
export interface ConfigurationSource<Configuration extends { workspace?: Workspace | undefined }> {
  /** Whose rejection it is, where the verdict has fallen already. */
  locate(key: string, signal: AbortSignal): Promise<Attribution>;
  find(key: string, signal: AbortSignal): Promise<Configuration>;
  readAgain(key: string, found: Configuration, signal: AbortSignal): Promise<Configuration>;
}
