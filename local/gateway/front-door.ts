import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { Answer, FaultType } from './gateway-responses.ts';

/** An API as the server sees it, be it a REST API or an HTTP API. */
export interface FrontDoor {
  answer(incoming: IncomingMessage, exchange: Exchange): Promise<Answer>;
  /** The answer to what Node can make no request of, and where the gateway itself fails. */
  answerFault(type: FaultType, exchange: Exchange): Answer;
}
