import { type Wei, wei } from '@heirloom/core'
import { type Environment, readInteger, readWei } from './environment.ts'

/** The limits of relayed acts, whose gas the agent wallet pays. Amounts are in wei. */
export type RelaySettings = {
  /** The most gas that a call may ask for. */
  readonly gas: bigint
  /** The most that one act may cost. */
  readonly perAct: Wei
  /** The most that the acts of one account may cost in a day. */
  readonly perAccount: Wei
  /** The most that the acts which one client asks for may cost in a day; absent for no limit. */
  readonly perClient: Wei | undefined
  /** The most that all relayed acts may cost in a day. */
  readonly perDay: Wei
  /** The lowest price of an order, in the smallest unit of the dollar. */
  readonly leastOrder: bigint
}

/** The defaults, which a person or an agent hardly reaches. */
const defaults = {
  ...{ gas: 500_000, perAct: wei(10n ** 16n), perAccount: wei(5n * 10n ** 16n) },
  ...{ perClient: wei(10n ** 17n), perDay: wei(10n ** 18n), leastOrder: 10_000 },
}

/**
 * Reads the limits of relayed acts. Where only this machine reaches the server all clients count as
 * one, which has no limit of its own.
 *
 * @throws `config/invalid`
 */
export function readRelaySettings(env: Environment, isLocal: boolean): RelaySettings {
  const { perAct, perAccount, perClient, perDay } = defaults
  const gas = readInteger(env, { name: 'RELAY_GAS', min: 50_000, max: 2 ** 24 })
  const least = readInteger(env, { name: 'RELAY_LEAST_ORDER', min: 0, max: 2 ** 48 })
  return {
    gas: BigInt(gas ?? defaults.gas),
    perAct: readWei(env, 'RELAY_SPEND_PER_ACT') ?? perAct,
    perAccount: readWei(env, 'RELAY_SPEND_PER_ACCOUNT') ?? perAccount,
    perClient: readWei(env, 'RELAY_SPEND_PER_CLIENT') ?? (isLocal ? undefined : perClient),
    perDay: readWei(env, 'RELAY_SPEND_PER_DAY') ?? perDay,
    leastOrder: BigInt(least ?? defaults.leastOrder),
  }
}
