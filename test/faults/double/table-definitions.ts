import { INDEXES, type TableNoun } from '#contract';

export interface IndexDefinition {
  readonly keys: readonly string[];
  /** Further attributes that the index holds beside the keys. */
  readonly projects: 'all' | readonly string[];
}

export interface TableDefinition {
  readonly keys: readonly string[];
  readonly indexes: Readonly<Record<string, IndexDefinition>>;
}

/** As lib/tables/shapes.ts has them: the conformance suite holds these to the tables of the running stack. */
export const TABLE_DEFINITIONS: Readonly<Record<TableNoun, TableDefinition>> = {
  workspaces: { keys: ['workspaceId'], indexes: {} },
  forms: {
    keys: ['slug', 'formId'],
    indexes: {
      [INDEXES.formsByWorkspace]: { keys: ['workspaceId', 'formId'], projects: 'all' },
      [INDEXES.formsById]: { keys: ['formId'], projects: [] },
    },
  },
  formSecrets: { keys: ['slug', 'formId'], indexes: {} },
  tokens: {
    keys: ['tokenHash'],
    indexes: {
      [INDEXES.tokensByWorkspace]: { keys: ['workspaceId', 'tokenId'], projects: 'all' },
      [INDEXES.tokensById]: { keys: ['tokenId'], projects: [] },
    },
  },
  leads: {
    keys: ['leadId', 'part'],
    indexes: {
      [INDEXES.leadsByForm]: {
        keys: ['formId', 'leadId'],
        projects: ['workspaceId', 'surface', 'score', 'clean', 'receivedAt'],
      },
    },
  },
  idempotency: { keys: ['keyHash'], indexes: {} },
  rejections: { keys: ['requestId', 'sk'], indexes: {} },
  unauthenticatedRejections: { keys: ['requestId', 'sk'], indexes: {} },
  diagnostics: { keys: ['workspaceId', 'sk'], indexes: {} },
  stats: { keys: ['workspaceId', 'sk'], indexes: {} },
};
