import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../../aws/dynamodb.ts';
import { INDEXES } from '../../contract.ts';
import { type Enrichment, fromEnrichmentItem } from '../../enrichment/enrichment-item.ts';
import type { FieldConfiguration } from '../../model/lead-fields.ts';
import type { LeadItem } from '../../model/lead-item.ts';
import type { AlertContent } from '../compose-message.ts';
import type { Destination, DestinationSecret } from '../destination.ts';
import { destinationAddress, toDestination } from '../destinations-store.ts';
import { healthAddress } from '../health-store.ts';
import type { Message, MessageKey } from '../message.ts';
import { messageAddress, toMessage } from '../messages-store.ts';
import type { DestinationHealth } from '../retry-schedule.ts';

/** Everything that decides about one message, as it is now. */
export interface SendingContext {
  readonly destination: Destination | undefined;
  readonly secret: DestinationSecret | undefined;
  readonly message: Message | undefined;
  readonly health: DestinationHealth | undefined;
  /** Not unpacked yet. */
  readonly leadItem: LeadItem | undefined;
  readonly enrichment: Enrichment | undefined;
  readonly alert: AlertContent | undefined;
}

export interface NamedForm {
  readonly name: string;
  readonly fields?: readonly FieldConfiguration[];
}

export interface SendingReader {
  /** One strongly consistent call: a deleted destination, a new secret and an erased lead count at once. */
  read(workspaceId: string, key: MessageKey, signal: AbortSignal): Promise<SendingContext>;
  /** For messages that people read: what the form and its fields are called. */
  form(workspaceId: string, formId: string, signal: AbortSignal): Promise<NamedForm | undefined>;
  workspaceName(workspaceId: string, signal: AbortSignal): Promise<string | undefined>;
}

type Keys = 'destinations' | 'destinationSecrets' | 'messages' | 'leads' | 'forms' | 'alerts' | 'workspaces';

export function makeSendingReader({ client, tables }: StoreContext<Keys>): SendingReader {
  return {
    async read(workspaceId, key, signal) {
      const { destinationId, leadId, type } = key;
      const lead = (part: string) => ({ table: tables.leads, key: { leadId, part } });
      const isAlert = type === 'alert.opened' || type === 'alert.closed';
      const [destination, secret, message, health, subject, enrichment] = await batchGet(
        client,
        [
          destinationAddress(tables.destinations, workspaceId, destinationId),
          { table: tables.destinationSecrets, key: { destinationId } },
          messageAddress(tables.messages, key),
          healthAddress(tables.messages, destinationId),
          ...(type === 'lead.accepted' || type === 'lead.enriched' ? [lead('lead')] : []),
          ...(type === 'lead.enriched' ? [lead('enrichment')] : []),
          ...(isAlert ? [{ table: tables.alerts, key: { workspaceId, sk: `alert#${leadId}` } }] : []),
        ],
        signal,
      );
      return {
        destination: destination && toDestination(destination),
        secret: secret as DestinationSecret | undefined,
        message: message && toMessage(message),
        health: health as DestinationHealth | undefined,
        leadItem: isAlert ? undefined : subject,
        alert: isAlert ? (subject as AlertContent | undefined) : undefined,
        enrichment: enrichment && fromEnrichmentItem(enrichment),
      };
    },

    async form(workspaceId, formId, signal) {
      const { Items } = await client.send(
        new QueryCommand({
          TableName: tables.forms,
          IndexName: INDEXES.formsByWorkspace,
          KeyConditionExpression: 'workspaceId = :workspaceId AND formId = :formId',
          ExpressionAttributeValues: { ':workspaceId': workspaceId, ':formId': formId },
          Limit: 1,
        }),
        { abortSignal: signal },
      );
      return Items?.[0] as NamedForm | undefined;
    },

    async workspaceName(workspaceId, signal) {
      const { Item } = await client.send(
        new GetCommand({
          TableName: tables.workspaces,
          Key: { workspaceId },
          ProjectionExpression: '#name',
          ExpressionAttributeNames: { '#name': 'name' },
        }),
        { abortSignal: signal },
      );
      return Item?.name as string | undefined;
    },
  };
}
