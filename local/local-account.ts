import type { Mapping } from './event-source/mapping.ts';

/** The make-believe account that the stack is "deployed" to on this machine. */
export const LOCAL_REGION = 'us-east-1';
export const LOCAL_ACCOUNT = '000000000000';

/** DynamoDB Local wants a signature and checks none. */
export const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/** Where the engines of this machine are. */
export interface Endpoints {
  readonly dynamoDb: string;
  readonly sqs: string;
  readonly cognito: string;
  /** `127.0.0.1:53` */
  readonly dns: string;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** How functions, and the event sources that act in their name, reach the engines. */
export interface Access {
  readonly dynamoDb: string;
  readonly sqs: string;
  credentialsOf(functionArn: string): Credentials;
  /** What Lambda checks when a mapping is made. Throws if the function's role lacks something. */
  checkMapping(mapping: Mapping): void;
}

/** Nothing in between: everybody may do everything. */
export function openAccess({ dynamoDb, sqs }: Pick<Endpoints, 'dynamoDb' | 'sqs'>): Access {
  return { dynamoDb, sqs, credentialsOf: () => LOCAL_CREDENTIALS, checkMapping: () => undefined };
}
