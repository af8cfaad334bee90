import { type Gateway, openGateway } from '../gateway/server.ts';
import { StartupError } from '../startup-error.ts';

const LAST_PORT = 65_535;

/** On the next port, where a bookmark finds the console again; on any if that one is taken. */
export async function openBeside(port: number): Promise<Gateway> {
  if (port === 0 || port === LAST_PORT) return openGateway(0);
  try {
    return await openGateway(port + 1);
  } catch (error) {
    if (error instanceof StartupError) return openGateway(0);
    throw error;
  }
}
