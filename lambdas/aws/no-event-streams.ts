/**
 * Stands in for @smithy/core/event-streams when a function is bundled. The SDK loads that part for operations that
 * stream events, such as audio to be transcribed; no service that we call has one.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('This bundle has no event streams');
  }
}

export const eventStreamSerdeProvider = () => undefined;
