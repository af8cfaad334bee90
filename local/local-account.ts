/** The pretend account that the local stack is "deployed" to. */
export const LOCAL_REGION = 'us-east-1';
export const LOCAL_ACCOUNT = '000000000000';

/** DynamoDB Local requires a signature but does not check it. */
export const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/** The addresses of the local engines. */
export interface Endpoints {
  readonly dynamoDb: string;
  readonly sqs: string;
  readonly ses: string;
  readonly eventBridge: string;
  readonly cognito: string;
  /** `127.0.0.1:53` */
  readonly dns: string;
}

/** What functions call with the permissions of their roles. */
export type RoleEndpoints = Pick<Endpoints, 'dynamoDb' | 'sqs' | 'ses' | 'eventBridge'>;

/** How a function reaches the engines, with the permissions of its role. */
export interface RoleAccess extends RoleEndpoints {
  credentialsOf(functionArn: string): Credentials;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}
