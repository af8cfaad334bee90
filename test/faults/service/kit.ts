import { DynamoDbDouble } from '../double/dynamodb-double.ts';
import { SeededRandom } from '../machine/seeded-random.ts';
import { replaceTime, VirtualTime } from '../machine/virtual-time.ts';
import { ClientSlots } from './client-slots.ts';
import { makeOwnersHand } from './functions.ts';
import type { Sender } from './sender.ts';

const MOST_ENVIRONMENTS = 40;

/** What a thread makes once and every schedule in it uses. */
export interface Kit {
  readonly time: VirtualTime;
  readonly double: DynamoDbDouble;
  readonly slots: ClientSlots;
  readonly sender: Sender;
  /** A workspace with a form, a secret and a token, as the owner's own code makes them. */
  readonly beginning: ReturnType<DynamoDbDouble['snapshot']>;
}

export async function makeKit(): Promise<Kit> {
  const time = new VirtualTime();
  replaceTime(time);
  const double = new DynamoDbDouble();
  const slots = await ClientSlots.make(MOST_ENVIRONMENTS);
  const atOnce = async (operation: string, input: Parameters<DynamoDbDouble['execute']>[1]) =>
    double.execute(operation, input);
  const clients = slots.take({ patient: atOnce, recording: atOnce, queue: atOnce });
  const hand = makeOwnersHand({ clients, now: time.now, random: new SeededRandom(1) }, 'nobody');

  time.restart(Date.parse('2026-11-01T00:00:00Z'));
  const { workspaceId } = await hand.createWorkspace({ name: 'Faults' });
  const owner = makeOwnersHand({ clients, now: time.now, random: new SeededRandom(2) }, workspaceId);
  const { formId, slug } = await owner.createForm('Contact');
  const { secret } = await owner.setSecret({ formId });
  const { token, tokenId } = await owner.createToken({ formId });
  slots.giveBack();
  return {
    time,
    double,
    slots,
    beginning: double.snapshot(),
    sender: { workspaceId, formId, slug, secret, token, tokenId },
  };
}
