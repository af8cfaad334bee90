import type { Operations } from './schema.ts';

// What the settings API takes and returns, by the names that pages use. schema.ts is made from the API document.

export type {
  Alert,
  AlertPage,
  AlertSettings,
  Delivery,
  DeliveryPreview,
  Destination,
  DestinationKind,
  Destinations as DestinationList,
  Diagnostics,
  Field as FormField,
  Form,
  FoundRequest,
  Lead,
  LeadCount,
  LeadPage,
  Learning,
  ListedForm,
  ListedLead as InboxLead,
  ListedLeads as LeadList,
  ListedSender,
  Message,
  MessagePage,
  MessageStatus,
  MessageType,
  PersonErasure as Erasure,
  ProviderDelivery,
  ProviderName,
  Reason,
  RecordedReason,
  RejectionEvent,
  RelatedLead,
  RelatedLeads as Related,
  ReviewedLeads,
  SignatureExplanation,
  Stats,
  Surface,
  Token,
  Verdict,
  WindowUse,
  Workspace,
} from './schema.ts';

export type DestinationHealth = Operations['getDestination']['response']['health'];
export type Attempt = Operations['getMessage']['response']['attempts'][number];
export type ErasedLead = Operations['erasePerson']['response']['erased'][number];
export type EventPage = Operations['listEvents']['response'];

/** What an operation takes, according to the API document. */
export type Request<Id extends keyof Operations> = Unchanged<Operations[Id]['request']>;

type Unchanged<Value> = Value extends object
  ? {
      readonly [Name in keyof Value]:
        | Unchanged<Value[Name]>
        | (undefined extends Value[Name] ? undefined : never);
    }
  : Value;
