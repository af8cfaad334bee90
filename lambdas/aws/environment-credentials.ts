/**
 * Stands in for the SDK's own chain of credential providers when a function is bundled. On Lambda the credentials are
 * always in the environment, which is where that chain looks first; the rest of it (profiles, SSO, web identity,
 * instance metadata, each with clients of its own) would be a third of the bundle and a fifth of its import time.
 */
export function defaultProvider() {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Error('Missing environment variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY');
    }
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
  };
}
