import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that the server may close. Rejects when no server listens. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''));
  await once(socket, 'connect');
  return socket.on('error', () => undefined).resume();
}
