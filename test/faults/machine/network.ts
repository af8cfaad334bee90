import type { SeededRandom } from '../../random.ts';
import type { Input, Reply } from '../double/dynamodb-double.ts';
import type { Carry } from '../double/wired-client.ts';
import type { Environment, Fault } from './environment.ts';
import {
  type CallKind,
  errorReply,
  type FaultProfile,
  type Outcome,
  partialReply,
  possibleFaults,
} from './outcome.ts';
import type { Scheduler } from './scheduler.ts';
import { isConsistent, keyOf, type Timeline, tableOf } from './timeline.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The DynamoDB double, or the queue. */
export interface Service {
  execute(operation: string, input: Input, moment?: { readonly lagging?: boolean }): Reply;
}

export interface NetworkOptions {
  readonly scheduler: Scheduler;
  readonly time: VirtualTime;
  readonly timeline: Timeline;
  readonly random: SeededRandom;
  readonly faultProfile: FaultProfile;
  /** By when a request arrives whose caller has given up. Without it, at any time. */
  readonly lateWithinMilliseconds?: number | undefined;
}

const MAX_DEATHS = 3;

/** Between the functions and the stores. Every attempt of every call waits here for its turn and its outcome. */
export class Network {
  readonly #options: NetworkOptions;
  #faults = 0;
  #deaths = 0;
  /** Unsupported calls to the double. The code under test handles them as an outage, so the schedule fails on them. */
  readonly errors: Error[] = [];

  /** Writes without a condition on what was deleted meanwhile, which arrived after their caller had given up. */
  readonly secondWrites: string[] = [];

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  carry(environment: Environment, service: Service, patienceMilliseconds: number): Carry {
    return (operation, input, signal) => {
      const { activity } = environment;
      // A dead environment never responds.
      if (environment.dead || !activity) return new Promise(() => undefined);
      if (signal?.aborted) return Promise.reject(aborted());
      return this.#call({ environment, activity, service, operation, input, signal, patienceMilliseconds });
    };
  }

  #call(attempt: Attempt): Promise<Reply> {
    const { environment, activity, service, operation, input, signal, patienceMilliseconds } = attempt;
    const { scheduler, time, random, lateWithinMilliseconds } = this.#options;
    const kind = { operation, table: tableOf(operation, input), consistent: isConsistent(operation, input) };
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    let arrivesLate = false;

    const execute = (outcome: Outcome): Reply | undefined => {
      try {
        return service.execute(operation, input, { lagging: outcome === 'lagging' });
      } catch (error) {
        this.errors.push(error as Error);
        return undefined;
      }
    };
    const note = (outcome: string) => this.#note(attempt, kind, outcome);
    const noteFault = (outcome: Fault['outcome']) => activity.faults.push({ ...kind, outcome });

    const straggle = () => {
      const late = {
        actor: activity.name,
        take: () => {
          execute('late');
          note('arrives late');
          if (isUnguarded(kind)) this.secondWrites.push(JSON.stringify(input));
        },
      };
      scheduler.leaveBehind(late);
      if (lateWithinMilliseconds) time.after(lateWithinMilliseconds, () => scheduler.takeStraggler(late));
    };
    const end = () => {
      time.cancel(timer);
      signal?.removeEventListener('abort', onAbort);
      environment.end(call);
    };
    const giveUp = (error: Error) => {
      const hadNoTurn = scheduler.withdraw(step);
      if (hadNoTurn) noteFault('gave up');
      if (arrivesLate || (hadNoTurn && random.chance(0.5))) straggle();
      end();
      reject(error);
    };
    const onAbort = () => giveUp(aborted());
    const call = {
      abandon: () => {
        if (scheduler.withdraw(step) && random.chance(0.5)) straggle();
        end();
      },
    };
    const response = (reply: Reply | undefined) => {
      if (!reply) return;
      end();
      resolve(reply);
    };
    const breakOff = () => {
      end();
      // The name that the SDK's own handler uses.
      reject(named('TimeoutError', 'socket hang up', 'ECONNRESET'));
    };

    const effects: Readonly<Record<Outcome, () => void>> = {
      ok: () => response(execute('ok')),
      lagging: () => response(execute('lagging')),
      lost: () => {
        execute('lost');
        breakOff();
      },
      reset: breakOff,
      throttled: () => response(errorReply('throttled', input, random)),
      failed: () => response(errorReply('failed', input, random)),
      'failed-done': () => {
        execute('failed-done');
        response(errorReply('failed', input, random));
      },
      hung: () => undefined,
      'hung-done': () => void execute('hung-done'),
      late: () => {
        arrivesLate = true;
      },
      conflict: () => response(errorReply('conflict', input, random)),
      'in-progress': () => response(errorReply('in-progress', input, random)),
      partial: () => response(partialReply(service, operation, input, random)),
      dies: () => environment.die(),
      'dies-done': () => {
        execute('dies-done');
        environment.die();
      },
    };

    const step = {
      actor: activity.name,
      take: () => {
        const outcome = this.#outcomeOf(kind);
        if (outcome !== 'ok' && outcome !== 'lagging') noteFault(outcome);
        note(outcome);
        effects[outcome]();
      },
    };
    const timer = time.after(patienceMilliseconds, () =>
      giveUp(named('TimeoutError', 'a request has exceeded the configured requestTimeout', 'ETIMEDOUT')),
    );
    environment.begin(call);
    scheduler.offer(step);
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise;
  }

  #outcomeOf(kind: CallKind): Outcome {
    const { random, faultProfile } = this.#options;
    const possible = (faultProfile.faultsOf ?? possibleFaults)(kind);
    if (
      possible.length > 0 &&
      this.#faults < faultProfile.mostFaults &&
      random.chance(faultProfile.faultRate)
    ) {
      const outcome = random.pick(possible);
      const isDeath = outcome === 'dies' || outcome === 'dies-done';
      if (!isDeath || this.#deaths < MAX_DEATHS) {
        this.#faults += 1;
        if (isDeath) this.#deaths += 1;
        return outcome;
      }
    }
    return !kind.consistent && random.chance(0.3) ? 'lagging' : 'ok';
  }

  #note({ environment, activity, operation, input }: Attempt, { table }: CallKind, outcome: string): void {
    const { timeline, time } = this.#options;
    timeline.add({
      at: time.now(),
      environment: environment.name,
      activity: activity.name,
      outcome,
      what: `${operation} ${table}`,
      detail: () => keyOf(operation, input),
    });
  }
}

const isUnguarded = ({ operation, table }: CallKind) =>
  operation === 'BatchWriteItem' || (operation === 'PutItem' && table === 'leads');

interface Attempt {
  readonly environment: Environment;
  readonly activity: NonNullable<Environment['activity']>;
  readonly service: Service;
  readonly operation: string;
  readonly input: Input;
  readonly signal: AbortSignal | undefined;
  readonly patienceMilliseconds: number;
}

const aborted = () => named('AbortError', 'Request aborted');

function named(name: string, message: string, code?: string): Error {
  return Object.assign(new Error(message), { name, ...(code && { code }) });
}
