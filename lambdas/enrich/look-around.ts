import type { Facts } from '../core/enrichment/facts.ts';
import { OutsideFailure } from '../core/enrichment/failures.ts';
import { gatherFacts, mailHostFacts } from '../core/enrichment/gather-facts.ts';
import { providerQuestion } from '../core/enrichment/provider-answer.ts';
import { rolesOf } from '../core/enrichment/roles-of-lead.ts';
import type { Findings } from '../core/enrichment/settle.ts';
import type { LeadFields } from '../core/json-body.ts';
import type { LeadRoles } from '../core/score/lead-roles.ts';
import type { EnrichmentProvider } from '../stores/enrichment-provider.ts';
import type { MailExchanges } from '../stores/mail-exchanges.ts';

export interface Surroundings {
  readonly mailExchanges: MailExchanges;
  /** Absent unless the deployer configured one. */
  readonly provider?: EnrichmentProvider | undefined;
}

/** A lead's body, and which key has which role where its form said so. */
export interface ReadLead {
  readonly fields: LeadFields;
  readonly roles: LeadRoles | undefined;
}

/** Everything that can be found out about a lead now: from its body, from DNS and, if there is one, the provider. */
export async function lookAround(
  { fields, roles }: ReadLead,
  { mailExchanges, provider }: Surroundings,
  signal: AbortSignal,
): Promise<Omit<Findings, 'receiveCount'>> {
  const { facts, mailHost } = gatherFacts(rolesOf(fields, roles));
  const question = providerQuestion(facts);
  const asked = await Promise.all([
    mailHost === undefined ? {} : outcomeOf(mailExchanges.hostsOf(mailHost).then(mailHostFacts)),
    !provider || Object.keys(question).length === 0 ? {} : outcomeOf(provider.ask(question, signal)),
  ]);
  return {
    facts: Object.assign({ ...facts }, ...asked.filter((each) => !(each instanceof OutsideFailure))),
    troubles: asked.filter((each) => each instanceof OutsideFailure),
  };
}

/** Failures of the outside are findings; anything else is a defect and goes on. */
async function outcomeOf(facts: Promise<Facts>): Promise<Facts | OutsideFailure> {
  try {
    return await facts;
  } catch (error) {
    if (error instanceof OutsideFailure) return error;
    throw error;
  }
}
