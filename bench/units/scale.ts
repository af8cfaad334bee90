import {
  type IngestWorkbench,
  type Request,
  type Sender,
  submissionId,
} from '../../local/workbench/ingest-workbench.ts';
import { type Capacity, makeCapacity } from './capacity.ts';
import { recordWire } from './wire-calls.ts';

/** Weighs what a warm function sends to DynamoDB for one accepted lead. */
export type Weigh = (body: string, request?: Request, from?: Sender) => Promise<Capacity>;

export function openScale(bench: IngestWorkbench): Weigh {
  const wire = recordWire(bench.client);
  const capacityOf = makeCapacity(bench.stack.newClient());
  return async (body, request = {}, from) => {
    const sender = from ?? (await bench.newSender());
    const environment = bench.newEnvironment();
    submissionId(await environment.server(sender));
    wire.reset();
    submissionId(await environment.server(sender, { ...request, body }));
    return capacityOf(wire.list());
  };
}
