import { Failure } from '@heirloom/core'
import { dayBudgets } from '../../platform/budget.ts'
import { contractQueue } from '../signatures/contract-queue.ts'

/** Tries out calls that may run foreign code, which a client asks for. */
export type Tries = <T>(trial: Trial, task: () => Promise<T>) => Promise<T>

type Trial = {
  /** The client that asks; absent where clients are not told apart. */
  readonly client?: string | undefined
  /** The gas that foreign code may use; absent where none runs. */
  readonly gas: bigint | undefined
}

/** The gas of all tries of a day. */
const gasPerDay = 200_000_000

/**
 * Returns a function that tries out calls on a chain in this process. Tries with foreign code run one at
 * a time, take at most a quarter of the time, and count with all their gas against their client and
 * against all clients, whether they fail or not.
 *
 * @throws `request/too-many` when the gas of a day is used up, `service/busy`
 */
export function boundedTries(now: () => number): Tries {
  const { all, each } = dayBudgets(gasPerDay, now)
  const queue = contractQueue({
    maxWaiting: 64,
    maxWaitingPerAccount: 32,
    concurrency: 1,
    rest: 3,
  })
  const charge = (client: string | undefined, gas: number) => {
    const waits = [all.wait('all', gas), client === undefined ? 0 : each.wait(client, gas)]
    if (Math.max(...waits) > 0) throw usedUp(Math.max(...waits))
    all.use('all', gas)
    if (client !== undefined) each.use(client, gas)
  }
  return async ({ client, gas }, task) => {
    if (gas === undefined) return task()
    charge(client, Number(gas))
    return queue(client ?? '', task)
  }
}

const usedUp = (seconds: number) =>
  new Failure('request/too-many', {
    what: 'gas of contract wallets a day',
    limit: gasPerDay,
    retryAfterSeconds: Math.ceil(seconds),
  })
