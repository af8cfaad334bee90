import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that says exactly what it is told to, proper HTTP or not. */
export async function rawExchange(url: string, request: string | Buffer): Promise<string> {
  const socket = await rawConnect(url);
  socket.write(request);
  return untilClosed(socket);
}

export async function rawConnect(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

export async function untilClosed(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}
