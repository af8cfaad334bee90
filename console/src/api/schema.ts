// Made from docs/api/settings.openapi.yaml by `npm run make:api-types`. Change the document instead.

export type Id = string;
export type Role = 'owner' | 'viewer';
export type Surface = '1a' | '1b' | '1c' | '2';
export type Moment = string;
export type Name = string;
export type Fields = Field[];
export type RetentionDays = number | null;
export type Origins = string[];
export type FormProvider = {
  name: ProviderName;
  events?: string[];
} | null;
export type ProviderName =
  | 'typeform'
  | 'tally'
  | 'framer'
  | 'webflow'
  | 'calendly'
  | 'calcom'
  | 'stripe'
  | 'shopify'
  | 'standard-webhooks'
  | 'svix'
  | 'github';
export type RecordedReason = Reason | 'idempotency_key_reused';
export type Reason =
  | 'token_missing'
  | 'token_invalid'
  | 'token_wrong_type'
  | 'token_revoked'
  | 'workspace_suspended'
  | 'form_not_found'
  | 'form_inactive'
  | 'slug_ambiguous'
  | 'provider_not_chosen'
  | 'secret_not_configured'
  | 'timestamp_missing'
  | 'timestamp_invalid'
  | 'timestamp_out_of_window'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'browser_inactive'
  | 'origin_missing'
  | 'origin_not_allowed'
  | 'token_expired'
  | 'rate_limited_minute'
  | 'rate_limited_day'
  | 'idempotency_key_malformed'
  | 'body_too_large'
  | 'content_type_unsupported'
  | 'content_encoding_unsupported'
  | 'body_invalid_json'
  | 'body_not_object'
  | 'delivery_too_old'
  | 'internal_error';
export type Secret = string;
export type MappedFields = string;
export type Score = number;
export type EnrichmentState = 'pending' | 'enriched' | 'failed' | 'skipped';
export type SenderStatus = 'trusted' | 'blocked';
export type TestMark = true;
export type Cursor = string;
export type LeadStatus = 'new' | 'open' | 'handled';
export type Actor = 'you' | 'member' | 'key';
export type SubmissionIds = string[];
export type MessageType =
  'lead.accepted' | 'lead.enriched' | 'lead.erased' | 'alert.opened' | 'alert.closed' | 'destination.test';
export type MessageStatus = 'delivered' | 'waiting' | 'parked' | 'failed' | 'cancelled';
export type Verdict = ('good' | 'spam') | null;
export type SenderScope = 'address' | 'domain' | 'none';
export type Sender = string;
export type LearnedPoints = number;
export type LearnedFormId = Id | null;
export type Bands = number[];
export type DestinationKind = 'webhook' | 'slack' | 'email';
export type Confirmation = 'pending' | 'confirmed' | 'stopped';
export type DestinationEvent =
  'lead.accepted' | 'lead.enriched' | 'lead.erased' | 'alert.opened' | 'alert.closed';
export type DestinationEvents = DestinationEvent[];
export type DestinationForms = 'all' | string[];
export type DisabledReason = 'gone' | 'failing' | 'stopped' | 'bounced' | 'complained';
export type SigningSecret = string;
export type AlertKind =
  'sender_broken' | 'silence' | 'daily_limit' | 'destination_failing' | 'rotation_ending' | 'clock_drift';
export type AlertOutcome = 'recovered' | 'ended' | 'superseded';
export type Scope =
  | 'leads:read'
  | 'leads:write'
  | 'forms:read'
  | 'forms:write'
  | 'tokens:read'
  | 'tokens:write'
  | 'destinations:read'
  | 'destinations:write'
  | 'diagnostics:read'
  | 'alerts:read'
  | 'alerts:write'
  | 'stats:read'
  | 'workspace:read';
export type MemberId = string;

export interface Operations {
  getWorkspace: {
    request: undefined;
    response: Workspace;
  };
  listForms: {
    request: undefined;
    response: {
      forms: ListedForm[];
    };
  };
  createForm: {
    request: NewForm;
    response: Form;
  };
  getForm: {
    request: undefined;
    response: Form;
  };
  changeForm: {
    request: FormChanges;
    response: Form;
  };
  archiveForm: {
    request: Nothing;
    response: Form;
  };
  listDeliveries: {
    request: undefined;
    response: {
      deliveries: Delivery[];
    };
  };
  getDelivery: {
    request: undefined;
    response: Delivery;
  };
  setSecret: {
    request: OwnSecret;
    response: SetSecret;
  };
  rotateSecret: {
    request: Rotation;
    response: RotatedSecret;
  };
  endGrace: {
    request: undefined;
    response: Delivery;
  };
  debugSignature: {
    request: SignedRequest;
    response: SignatureExplanation;
  };
  listProviders: {
    request: undefined;
    response: {
      providers: Provider[];
      toolUrl: string;
    };
  };
  setProviderSecret: {
    request: NewProviderSecret;
    response: SetProviderSecret;
  };
  endProviderGrace: {
    request: undefined;
    response: Delivery;
  };
  previewDelivery: {
    request: ExamplePayload;
    response: DeliveryPreview;
  };
  sendTest: {
    request: NewTest;
    response: Test;
  };
  listTokens: {
    request: undefined;
    response: {
      tokens: Token[];
    };
  };
  createToken: {
    request: NewToken;
    response: MadeToken;
  };
  revokeToken: {
    request: undefined;
    response: {
      tokenId: Id;
      revokedAt: Moment;
    };
  };
  listLeads: {
    request: undefined;
    response: LeadPage;
  };
  exportLeads: {
    request: undefined;
    response: string;
  };
  searchLeads: {
    request: undefined;
    response: ListedLeads;
  };
  countLeads: {
    request: undefined;
    response: LeadCount;
  };
  exportListedLeads: {
    request: undefined;
    response: string;
  };
  openLeads: {
    request: {
      submissionIds: SubmissionIds;
    };
    response: {
      opened: Id[];
      notFound: string[];
    };
  };
  handleLeads: {
    request: {
      submissionIds: SubmissionIds;
      handled: boolean;
      note?: string | null;
    };
    response: {
      changed: Id[];
      notFound: string[];
    };
  };
  getLead: {
    request: undefined;
    response: Lead;
  };
  eraseLead: {
    request: undefined;
    response: undefined;
  };
  listLeadMessages: {
    request: undefined;
    response: Messages;
  };
  listRelatedLeads: {
    request: undefined;
    response: RelatedLeads;
  };
  exportPerson: {
    request: Person;
    response: string;
  };
  erasePerson: {
    request: PersonToErase;
    response: PersonErasure;
  };
  reviewLead: {
    request: {
      verdict: Verdict;
      sender?: SenderScope;
    };
    response: ReviewedLead | ReviewedLeadId;
  };
  reviewLeads: {
    request: {
      verdict: Verdict;
      sender?: SenderScope;
      submissionIds: string[];
    };
    response: ReviewedLeads;
  };
  exportReviews: {
    request: undefined;
    response: string;
  };
  listSenders: {
    request: undefined;
    response: Senders;
  };
  putSender: {
    request: SenderChange;
    response:
      | ListedSender
      | {
          sender: Sender;
          status: null;
        };
  };
  getLearning: {
    request: undefined;
    response: Learning;
  };
  changeLearning: {
    request: {
      enabled: boolean;
    };
    response: Learning;
  };
  getStats: {
    request: undefined;
    response: Stats;
  };
  listDestinations: {
    request: undefined;
    response: Destinations;
  };
  createDestination: {
    request: NewDestination;
    response: CreatedDestination;
  };
  getDestination: {
    request: undefined;
    response: Destination;
  };
  changeDestination: {
    request: DestinationChanges;
    response: Destination;
  };
  deleteDestination: {
    request: undefined;
    response: undefined;
  };
  rotateSigningSecret: {
    request: Rotation;
    response: RotatedSigningSecret;
  };
  testDestination: {
    request: Nothing;
    response: QueuedMessage;
  };
  tryDestination: {
    request: Nothing;
    response: {
      messageId: Id;
      lastAttemptAt?: Moment;
    };
  };
  askRecipient: {
    request: Nothing;
    response: {
      destinationId: Id;
    };
  };
  listMessages: {
    request: undefined;
    response: MessagePage;
  };
  replayMessages: {
    request: Replay;
    response: QueuedReplay;
  };
  getMessage: {
    request: undefined;
    response: Message;
  };
  replayMessage: {
    request: Nothing;
    response: QueuedMessage;
  };
  listAlerts: {
    request: undefined;
    response: AlertPage;
  };
  getAlert: {
    request: undefined;
    response: Alert;
  };
  acknowledgeAlert: {
    request: Nothing;
    response: Alert;
  };
  getAlertSettings: {
    request: undefined;
    response: AlertSettings;
  };
  changeAlertSettings: {
    request: AlertSettingsChanges;
    response: AlertSettings;
  };
  listApiKeys: {
    request: undefined;
    response: {
      apiKeys: ApiKey[];
    };
  };
  createApiKey: {
    request: NewApiKey;
    response: MadeApiKey;
  };
  revokeApiKey: {
    request: undefined;
    response: {
      keyId: Id;
      revokedAt: Moment;
    };
  };
  listActivity: {
    request: undefined;
    response: {
      activity: Activity[];
      cursor?: Cursor;
    };
  };
  listMembers: {
    request: undefined;
    response: {
      members: Member[];
      invitationsLeftToday: number;
    };
  };
  inviteMember: {
    request: Invitation;
    response: {
      memberId: MemberId;
      email: string;
      role: Role;
    };
  };
  changeMember: {
    request: {
      role: Role;
    };
    response: Member;
  };
  removeMember: {
    request: undefined;
    response: {
      memberId: MemberId;
      apiKeys: ApiKey[];
    };
  };
  getDiagnostics: {
    request: undefined;
    response: Diagnostics;
  };
  listEvents: {
    request: undefined;
    response: {
      events: RejectionEvent[];
      cursor?: Cursor;
      lookedBackTo?: Moment;
    };
  };
  getEvent: {
    request: undefined;
    response: FoundRequest;
  };
}
export interface Workspace {
  workspaceId: Id;
  name: string;
  status: 'active' | 'suspended';
  role?: Role;
  surfaces: {
    surface: Surface;
    minute: WindowUse;
    day: WindowUse;
  }[];
}
export interface WindowUse {
  used: number;
  limit: number;
  endsAt: Moment;
}
export interface ListedForm {
  formId: Id;
  name: string;
  slug: string;
  url: string;
  active: boolean;
  createdAt: Moment;
  archivedAt?: Moment;
}
export interface NewForm {
  name: Name;
}
export interface Form {
  formId: Id;
  name: string;
  slug: string;
  url: string;
  active: boolean;
  createdAt: Moment;
  archivedAt?: Moment;
  fields: Fields;
  retentionDays: RetentionDays;
  browser: BrowserSending;
  provider: FormProvider;
}
export interface Field {
  key: string;
  label?: string;
  role?:
    | 'email'
    | 'phone'
    | 'name'
    | 'firstName'
    | 'lastName'
    | 'company'
    | 'message'
    | 'website'
    | 'country'
    | 'honeypot';
}
export interface BrowserSending {
  enabled: boolean;
  origins: Origins;
}
export interface FormChanges {
  name?: Name;
  fields?: Fields;
  active?: boolean;
  retentionDays?: RetentionDays;
  browser?: {
    enabled?: boolean;
    origins?: Origins;
  };
  provider?: FormProvider;
}
export interface Nothing {}
export interface Delivery {
  formId: Id;
  url: string;
  secret: {
    isSet: boolean;
    setAt?: Moment;
    lastUsedAt?: Moment;
  };
  previousSecret?: {
    worksUntil: Moment;
    lastUsedAt?: Moment;
  };
  provider?: ProviderDelivery;
}
export interface ProviderDelivery {
  name: ProviderName;
  events: string[];
  url: string;
  secretSet: boolean;
  previousWorksUntil?: Moment;
  lastUsedAt?: Moment;
  lastIgnoredAt?: Moment;
  lastRejection?: {
    at: Moment;
    reason: RecordedReason;
  };
}
export interface OwnSecret {
  secret?: string;
}
export interface SetSecret {
  formId: Id;
  secret?: Secret;
}
export interface Rotation {
  graceSeconds?: number;
}
export interface RotatedSecret {
  formId: Id;
  secret: Secret;
  previousWorksUntil?: Moment;
}
export interface SignedRequest {
  timestamp?: string;
  signature?: string;
  bodyBase64: string;
}
export interface SignatureExplanation {
  decision: 'accepted' | Reason;
  acceptedBy?: 'current' | 'previous';
  skewSeconds?: number;
  signed: {
    firstBytes: string;
    byteLength: number;
  };
  difference?: {
    atByte: number;
    fromByte: number;
    expected: string;
    signed: string;
    signedByteLength: number;
  };
  signature: 'right' | 'explained' | 'unexplained';
  mistakes: {
    name: string;
    explanation: string;
    formId?: Id;
  }[];
  tries: number;
}
export interface Provider {
  name: ProviderName;
  displayName: string;
  signatureHeader: string;
  maxAgeSeconds?: number;
  secret: {
    madeBy: 'provider' | 'owner';
    minCharacters: number;
  };
  events?: {
    choices: string[];
    defaults: string[];
  };
  failingWebhook?: 'disabled' | 'deleted';
  canBeReplayed: boolean;
  untested: boolean;
}
export interface NewProviderSecret {
  secret?: string;
  graceSeconds?: number;
}
export interface SetProviderSecret {
  formId: Id;
  secret?: string;
  previousWorksUntil?: Moment;
}
export interface ExamplePayload {
  body: string;
}
export interface DeliveryPreview {
  outcome: 'lead' | 'ignored';
  because?: 'ping' | 'event_not_chosen' | 'rescheduled' | 'not_a_customer';
  event?: string;
  test: boolean;
  mapped?: boolean;
  fields?: MappedFields;
  roles?: {
    [k: string]: string;
  };
  score?: Score;
  grade?: 'A' | 'B' | 'C' | 'D';
  clean?: boolean;
  signals?: {
    name: string;
    weight: number;
    explanation: string;
  }[];
}
export interface NewTest {
  body?: {
    _test?: true;
    [k: string]: unknown;
  };
}
export interface Test {
  sent: {
    url: string;
    timestamp: string;
    headerNames: string[];
    bodyText: string;
  };
  outcome: 'accepted' | 'rejected' | 'unreachable';
  submissionId?: Id;
  requestId?: string;
  status?: number;
  milliseconds: number;
}
export interface Token {
  tokenId: Id;
  formId: Id;
  type: 'server' | 'browser';
  name: string;
  lastFour: string;
  createdAt: Moment;
  lastUsedAt?: Moment;
  revokedAt?: Moment;
}
export interface NewToken {
  formId: string;
  name?: Name;
}
export interface MadeToken {
  tokenId: Id;
  formId: Id;
  type: 'server' | 'browser';
  name: string;
  lastFour: string;
  createdAt: Moment;
  lastUsedAt?: Moment;
  revokedAt?: Moment;
  token: string;
}
export interface LeadPage {
  columns: string[];
  moreKeys?: true;
  rows: LeadRow[];
  cursor?: Cursor;
}
export interface LeadRow {
  submissionId: Id;
  receivedAt: Moment;
  surface: Surface;
  score: Score;
  grade?: 'A' | 'B' | 'C' | 'D';
  clean: boolean;
  enrichment: EnrichmentState;
  review?: Review;
  sender?: SenderStatus;
  test?: TestMark;
  cells: string[];
}
export interface Review {
  verdict: 'good' | 'spam';
  at: Moment;
  by?: string;
}
export interface ListedLeads {
  leads: ListedLead[];
  cursor?: Cursor;
  searchedTo?: Moment;
}
export interface ListedLead {
  submissionId: Id;
  formId: Id;
  receivedAt: Moment;
  surface: Surface;
  score: Score;
  grade?: 'A' | 'B' | 'C' | 'D';
  clean: boolean;
  enrichment: EnrichmentState;
  status: LeadStatus;
  handled?: ListedHandling;
  review?: ListedReview;
  preview?: string;
  test?: TestMark;
  name?: string;
  company?: string;
  email?: string;
  phone?: string;
}
export interface ListedHandling {
  at: Moment;
  by: Actor;
  note?: string;
}
export interface ListedReview {
  verdict: 'good' | 'spam';
  at: Moment;
  by: Actor;
}
export interface LeadCount {
  count: number;
  exact: boolean;
}
export interface Lead {
  submissionId: Id;
  formId: Id;
  receivedAt: Moment;
  surface: Surface;
  score: Score;
  grade?: 'A' | 'B' | 'C' | 'D';
  clean: boolean;
  status: LeadStatus;
  opened?: Opening;
  handled?: Handling;
  review?: Review;
  sender?: SenderStatus;
  scoredClean?: boolean;
  test?: TestMark;
  keptUntil?: Moment;
  signals: {
    name: string;
    weight: number;
    explanation: string;
  }[];
  body: string;
  fields?: MappedFields;
  enrichment: {
    state: EnrichmentState;
    enrichedAt?: Moment;
    attempts?: number;
    reason?: string;
    incomplete?: string[];
    facts?: {
      [k: string]: Fact;
    };
  };
}
export interface Opening {
  at: Moment;
  by: Actor;
  byId?: Id;
}
export interface Handling {
  at: Moment;
  by: Actor;
  byId?: Id;
  note?: string;
}
export interface Fact {
  value: string | number | boolean | string[];
  source:
    | 'body'
    | 'message'
    | 'phone-metadata'
    | 'public-suffix-list'
    | 'top-level-domain'
    | 'mail-lists'
    | 'dns'
    | 'provider';
  confidence?: 'low';
}
export interface Messages {
  messages: Message[];
}
export interface Message {
  messageId: Id;
  destinationId: Id;
  type: MessageType;
  submissionId?: Id;
  alertId?: Id;
  formId?: Id;
  status: MessageStatus;
  createdAt: Moment;
  attempts: {
    at: Moment;
    milliseconds: number;
    status?: number;
    error?: string;
  }[];
  nextAttemptAt?: Moment;
  answerExcerpt?: string;
}
export interface RelatedLeads {
  email?: string;
  leads: RelatedLead[];
  more: boolean;
}
export interface RelatedLead {
  submissionId: Id;
  formId: Id;
  receivedAt: Moment;
  surface: Surface;
  score: Score;
  grade?: 'A' | 'B' | 'C' | 'D';
  clean: boolean;
  enrichment: EnrichmentState;
  status: LeadStatus;
  handled?: ListedHandling;
  review?: ListedReview;
  preview?: string;
  test?: TestMark;
  name?: string;
  company?: string;
  email?: string;
  phone?: string;
  sameEmail: boolean;
  samePhone: boolean;
}
export interface Person {
  email: string;
  cursor?: Cursor;
}
export interface PersonToErase {
  email: string;
  cursor?: Cursor;
  mentioned?: 'erase' | 'keep';
}
export interface PersonErasure {
  erased: {
    submissionId: Id;
    formId: Id;
    receivedAt: Moment;
  }[];
  mentioned: {
    submissionId: Id;
    formId: Id;
    receivedAt: Moment;
  }[];
  complete: boolean;
  reason?: 'more' | 'mentioned' | 'indexing' | 'dead_letters';
  cursor?: Cursor;
}
export interface ReviewedLead {
  submissionId: Id;
  formId: Id;
  receivedAt: Moment;
  surface: Surface;
  score: Score;
  grade?: 'A' | 'B' | 'C' | 'D';
  clean: boolean;
  status: LeadStatus;
  opened?: Opening;
  handled?: Handling;
  review?: Review;
  sender?: SenderStatus;
  scoredClean?: boolean;
  test?: TestMark;
  keptUntil?: Moment;
  signals: {
    name: string;
    weight: number;
    explanation: string;
  }[];
  senders: ChangedSenders;
  body: string;
  fields?: MappedFields;
  enrichment: {
    state: EnrichmentState;
    enrichedAt?: Moment;
    attempts?: number;
    reason?: string;
    incomplete?: string[];
    facts?: {
      [k: string]: Fact;
    };
  };
}
export interface ChangedSenders {
  changed?: {
    sender: Sender;
    status: SenderStatus | null;
  }[];
  full: boolean;
  domains?: Sender[];
  own?: Sender[];
}
export interface ReviewedLeadId {
  submissionId: Id;
  senders: ChangedSenders;
}
export interface ReviewedLeads {
  reviewed: Id[];
  notFound: string[];
  senders: ChangedSenders;
}
export interface Senders {
  senders: ListedSender[];
}
export interface ListedSender {
  sender: Sender;
  status: SenderStatus;
  addedAt: Moment;
  submissionId?: Id;
}
export interface SenderChange {
  sender: string;
  status: SenderStatus | null;
}
export interface Learning {
  enabled: boolean;
  learnedAt: Moment | null;
  from: {
    good: LearnedFrom;
    spam: LearnedFrom;
  };
  words: {
    word: string;
    points: LearnedPoints;
    formId: LearnedFormId;
  }[];
  signals: {
    name: string;
    points: LearnedPoints;
    formId: LearnedFormId;
  }[];
}
export interface LearnedFrom {
  leads: number;
  senders: number;
}
export interface Stats {
  by: 'hour' | 'day';
  scoreBandsFrom: number[];
  from: Moment;
  to: Moment;
  total: {
    accepted: number;
    clean: number;
    bands: Bands;
  };
  counts: {
    at: Moment;
    formId: Id;
    accepted: number;
    clean: number;
    bands: Bands;
  }[];
  truncated: boolean;
  completeFrom: Moment;
}
export interface Destinations {
  destinations: Destination[];
  canSendEmail: boolean;
}
export interface Destination {
  destinationId: Id;
  kind: DestinationKind;
  name: string;
  url?: string;
  urlEnd?: string;
  email?: string;
  confirmation?: Confirmation;
  confirmationSentAt?: Moment;
  events: DestinationEvents;
  forms: DestinationForms;
  onlyClean: boolean;
  includeFields: boolean;
  status: 'active' | 'paused' | 'disabled';
  disabledReason?: DisabledReason;
  disabledAt?: Moment;
  createdAt: Moment;
  secretSetAt?: Moment;
  previousSecretWorksUntil?: Moment;
  health: {
    state: 'ok' | 'failing' | 'unreachable';
    failingSince?: Moment;
    slowSince?: Moment;
  };
  waiting?: {
    since: Moment;
    nextAttemptAt?: Moment;
  };
}
export interface NewDestination {
  kind: DestinationKind;
  url?: string;
  email?: string;
  name?: Name;
  events?: DestinationEvents;
  forms?: DestinationForms;
  onlyClean?: boolean;
  includeFields?: boolean;
}
export interface CreatedDestination {
  destinationId: Id;
  kind: DestinationKind;
  name: string;
  url?: string;
  urlEnd?: string;
  email?: string;
  confirmation?: Confirmation;
  confirmationSentAt?: Moment;
  events: DestinationEvents;
  forms: DestinationForms;
  onlyClean: boolean;
  includeFields: boolean;
  status: 'active' | 'paused' | 'disabled';
  disabledReason?: DisabledReason;
  disabledAt?: Moment;
  createdAt: Moment;
  secretSetAt?: Moment;
  previousSecretWorksUntil?: Moment;
  health: {
    state: 'ok' | 'failing' | 'unreachable';
    failingSince?: Moment;
    slowSince?: Moment;
  };
  signingSecret?: SigningSecret;
}
export interface DestinationChanges {
  url?: string;
  email?: string;
  name?: Name;
  events?: DestinationEvents;
  forms?: DestinationForms;
  onlyClean?: boolean;
  includeFields?: boolean;
  status?: 'active' | 'paused';
}
export interface RotatedSigningSecret {
  destinationId: Id;
  signingSecret: SigningSecret;
  previousWorksUntil: Moment;
}
export interface QueuedMessage {
  messageId: Id;
}
export interface MessagePage {
  messages: Message[];
  cursor?: Cursor;
}
export interface Replay {
  since: Moment;
}
export interface QueuedReplay {
  destinationId: Id;
  since: Moment;
}
export interface AlertPage {
  alerts: Alert[];
  cursor?: Cursor;
}
export interface Alert {
  alertId: Id;
  kind: AlertKind;
  since: Moment;
  openedAt: Moment;
  status: 'open' | 'closed';
  closedAt?: Moment;
  outcome?: AlertOutcome;
  title: string;
  text: string;
  closedTitle?: string;
  closedText?: string;
  formId?: Id;
  surface?: Surface;
  destinationId?: Id;
  facts: AlertFacts;
  seen?: {
    at: Moment;
    by: 'you' | 'member' | 'key';
    byId: Id;
  };
}
export interface AlertFacts {
  formId?: Id;
  formName?: string;
  surface?: Surface;
  tokenName?: string;
  destinationId?: Id;
  destinationName?: string;
  problem?: 'failing' | 'gone' | 'slow' | 'unconfirmed' | 'stopped' | 'bounced' | 'complained' | 'refused';
  lastAcceptedAt?: Moment;
  rejections?: number;
  reason?: RecordedReason;
  mistake?: string;
  expectedLeads?: number;
  used?: number;
  limit?: number;
  percent?: number;
  endsAt?: Moment;
  skewSeconds?: number;
  [k: string]: unknown;
}
export interface AlertSettings {
  quietMinutes: number;
  senderBroken: {
    enabled: boolean;
    afterMinutes: number;
  };
  silence: {
    enabled: boolean;
    factor: number;
  };
  dailyLimit: {
    enabled: boolean;
    percent: number;
  };
  destinationFailing: {
    enabled: boolean;
    afterMinutes: number;
  };
  rotationEnding: {
    enabled: boolean;
    withinHours: number;
  };
  clockDrift: {
    enabled: boolean;
    seconds: number;
  };
}
export interface AlertSettingsChanges {
  quietMinutes?: number;
  senderBroken?: {
    enabled?: boolean;
    afterMinutes?: number;
  };
  silence?: {
    enabled?: boolean;
    factor?: number;
  };
  dailyLimit?: {
    enabled?: boolean;
    percent?: number;
  };
  destinationFailing?: {
    enabled?: boolean;
    afterMinutes?: number;
  };
  rotationEnding?: {
    enabled?: boolean;
    withinHours?: number;
  };
  clockDrift?: {
    enabled?: boolean;
    seconds?: number;
  };
}
export interface ApiKey {
  keyId: Id;
  name: string;
  scopes: Scope[];
  createdAt: Moment;
  createdBy: string;
  createdById?: MemberId;
  lastUsedAt?: string;
  revokedAt?: Moment;
}
export interface NewApiKey {
  name: Name;
  scopes: Scope[];
}
export interface MadeApiKey {
  keyId: Id;
  name: string;
  scopes: Scope[];
  createdAt: Moment;
  createdBy: string;
  createdById?: MemberId;
  apiKey: string;
}
export interface Activity {
  activityId: Id;
  at: Moment;
  actor: {
    kind: 'user' | 'key';
    id: string;
    name: string;
  };
  action: string;
  targets: {
    [k: string]: string;
  };
}
export interface Member {
  memberId: MemberId;
  email: string;
  role: Role;
  status: 'active' | 'invited';
  invitedAt?: Moment;
  joinedAt?: Moment;
  isYou: boolean;
}
export interface Invitation {
  email: string;
  role: Role;
}
export interface Diagnostics {
  by: 'minute' | 'hour';
  from: Moment;
  to: Moment;
  rateLimited: RejectionCounts;
  rejected: RejectionCounts;
  reusedKeys: RejectionCounts;
  newestAt: Moment | null;
  newestCountedAt: Moment | null;
  truncated: boolean;
  completeFrom: Moment;
}
export interface RejectionCounts {
  total: number;
  counts: {
    at: Moment;
    surface: Surface;
    formId?: Id;
    reason: RecordedReason;
    authenticated: boolean;
    count: number;
  }[];
}
export interface RejectionEvent {
  at: Moment;
  requestId: string;
  extendedRequestId?: string;
  surface: Surface;
  formId?: Id;
  reason: RecordedReason;
  authenticated: boolean;
  detail: {
    [k: string]: string | number;
  };
  sourceAddress?: string;
  userAgent?: string;
  bodyBytes: number;
  bodySha256?: string;
  keyNames?: string[];
}
export interface FoundRequest {
  at: Moment;
  requestId: string;
  extendedRequestId?: string;
  surface: Surface;
  formId?: Id;
  reason: RecordedReason;
  authenticated: boolean;
  detail: {
    [k: string]: string | number;
  };
  sourceAddress?: string;
  userAgent?: string;
  bodyBytes: number;
  bodySha256?: string;
  keyNames?: string[];
  otherMatches: RejectionEvent[];
}
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail?: string;
}
export interface InvalidProblem {
  type: string;
  title: string;
  status: number;
  detail?: string;
  errors: {
    field: string;
    problem: string;
  }[];
}
export interface DefectProblem {
  type: string;
  title: string;
  status: number;
  detail?: string;
  requestId: string;
}
export interface SentLead {
  submissionId: Id;
  formId: Id;
  receivedAt: Moment;
  score: Score;
  clean: boolean;
  signals: {
    name: string;
    weight: number;
    [k: string]: unknown;
  }[];
  test?: true;
  fields: {
    [k: string]: unknown;
  };
  enrichment?: {
    state: 'enriched';
    enrichedAt: Moment;
    incomplete?: string[];
    facts: {
      [k: string]: {
        value: unknown;
        source: string;
        confidence?: 'low';
        [k: string]: unknown;
      };
    };
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface LeadMessage {
  type: 'lead.accepted' | 'destination.test';
  timestamp: Moment;
  data: {
    lead: SentLead;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface EnrichedLeadMessage {
  type: 'lead.enriched';
  timestamp: Moment;
  data: {
    lead: SentLead;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface ErasedLeadMessage {
  type: 'lead.erased';
  timestamp: Moment;
  data: {
    lead: {
      submissionId: Id;
      formId: Id;
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface OpenedAlertMessage {
  type: 'alert.opened';
  timestamp: Moment;
  data: {
    alert: {
      alertId: Id;
      kind: AlertKind;
      since: Moment;
      openedAt: Moment;
      title: string;
      text: string;
      facts: AlertFacts;
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
export interface ClosedAlertMessage {
  type: 'alert.closed';
  timestamp: Moment;
  data: {
    alert: {
      alertId: Id;
      kind: AlertKind;
      since: Moment;
      openedAt: Moment;
      closedAt: Moment;
      outcome: AlertOutcome;
      title: string;
      text: string;
      facts: AlertFacts;
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
