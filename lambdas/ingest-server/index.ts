export const handler = async () => ({ statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: '{"status":"rejected"}' });
