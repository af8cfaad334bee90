interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer>;
}

/** An error as the SDKs of AWS throw it: named after its code. */
class ServiceError extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

/** Sends one request to the stand-in for S3. */
export async function sendToS3(
  method: string,
  bucket: string,
  key: string,
  { query = '', headers = {}, body }: Sent = {},
): Promise<Buffer<ArrayBuffer>> {
  const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
  const response = await fetch(`${process.env.STAND_IN_URL}/s3/${path}${query}`, {
    method,
    headers: { accept: 'application/json', ...headers },
    body,
  });
  const answer = Buffer.from(await response.arrayBuffer());
  if (response.ok) return answer;
  const { Code, Message } = answer.length > 0 ? JSON.parse(answer.toString()) : {};
  throw new ServiceError(Code ?? String(response.status), Message ?? `${method} ${bucket}/${key}`);
}

export async function askS3<Answer>(bucket: string, query: string): Promise<Answer> {
  return JSON.parse((await sendToS3('GET', bucket, '', { query })).toString());
}
