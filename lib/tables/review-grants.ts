import { HANDLING_ATTRIBUTES, REVIEW_ATTRIBUTES } from '../../lambdas/contract.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Tables } from '../tables.ts';

const only = (attributes: readonly string[]) => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...attributes] },
});

/**
 * Settings: writes the owner's verdict into a lead, and beside it, and who opened and handled it. Nothing else of the lead
 * can be changed.
 */
export function grantReviewLeads(tables: Tables, fn: ServiceFunction): void {
  tables.grant(fn, 'leads', ['UpdateItem'], only(REVIEW_ATTRIBUTES.lead));
  tables.grant(fn, 'leads', ['UpdateItem'], only(HANDLING_ATTRIBUTES));
  tables.grant(fn, 'leads', ['PutItem'], only(REVIEW_ATTRIBUTES.item));
}
