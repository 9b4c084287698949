import type { SealBounds } from '@heirloom/adapters/internal/seal-notes'
import { type Wei, wei } from '@heirloom/core'
import {
  type Environment,
  readCount,
  readFlag,
  readText,
  readWei,
  splitList,
  wrongValue,
} from './environment.ts'
import { settingOf } from './settings.ts'

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

/**
 * Reads the limits of relayed acts. Where only this machine reaches the server all clients count as
 * one, which has no limit of its own.
 *
 * @throws `config/invalid`
 */
export function readRelaySettings(env: Environment, isLocal: boolean): RelaySettings {
  return {
    gas: BigInt(readCount(env, { name: 'RELAY_GAS', min: 50_000, max: 2 ** 24 })),
    perAct: readSpend(env, 'RELAY_SPEND_PER_ACT'),
    perAccount: readSpend(env, 'RELAY_SPEND_PER_ACCOUNT'),
    perClient: isLocal
      ? readWei(env, 'RELAY_SPEND_PER_CLIENT')
      : readSpend(env, 'RELAY_SPEND_PER_CLIENT'),
    perDay: readSpend(env, 'RELAY_SPEND_PER_DAY'),
    leastOrder: BigInt(readCount(env, { name: 'RELAY_LEAST_ORDER', min: 0, max: 2 ** 48 })),
  }
}

type Spend = `RELAY_SPEND_PER_${'ACT' | 'ACCOUNT' | 'CLIENT' | 'DAY'}`

const readSpend = (env: Environment, name: Spend): Wei =>
  readWei(env, name) ?? wei(settingOf(name).fallback)

/** The limits of `/rpc`, through which clients use the embedded chain. */
export type RpcLimits = {
  readonly isOn: boolean
  /** The gas limit of one call or transaction. */
  readonly gas: bigint
  /** The gas limit of all transactions of a day. */
  readonly gasPerDay: bigint
  /** The origins of the browser extensions that may use it; absent for any. */
  readonly extensions: readonly string[] | undefined
}

/**
 * Reads the limits of `/rpc`, which is on by default where only this machine reaches the server.
 *
 * @throws `config/invalid`
 */
export function readRpcLimits(env: Environment, isLocal: boolean): RpcLimits {
  return {
    isOn: readFlag(env, 'RPC_OPEN', isLocal),
    gas: BigInt(readCount(env, { name: 'RPC_GAS', min: 21_000, max: 2 ** 24 })),
    gasPerDay: BigInt(readCount(env, { name: 'RPC_GAS_PER_DAY', min: 0, max: 2 ** 48 })),
    extensions: readExtensions(env),
  }
}

function readExtensions(env: Environment): readonly string[] | undefined {
  const text = readText(env, 'RPC_EXTENSIONS')
  if (text === undefined) return undefined
  const origins = splitList(text)
  if (origins.every((it) => /^[a-z]+(-web)?-extension:\/\/[A-Za-z0-9._-]+$/.test(it)))
    return origins
  throw wrongValue(
    'RPC_EXTENSIONS',
    'must be a comma list of origins such as chrome-extension://abc',
    text,
  )
}

/** The settings of memories that are sealed for wallets that mint themselves. */
export type SealSettings = {
  /** The bounds of the seals that are not minted; 0 for no bound. */
  readonly bounds: SealBounds
  /** The largest number of bytes stored for wallets in all, minted or not; 0 for no bound. */
  readonly storedBytes: number
  /** The time that a wallet has for its mint, in milliseconds. */
  readonly lifetime: number
}

/**
 * Reads the settings of seals. Where only this machine reaches the server all clients count as one, and
 * have no bound.
 *
 * @throws `config/invalid`
 */
export function readSealSettings(env: Environment, isLocal: boolean): SealSettings {
  const count = (name: SealCount) => readCount(env, { name, min: 0, max: 2 ** 48 }, isLocal)
  return {
    bounds: {
      perAccount: { seals: count('SEALS_PER_ACCOUNT'), bytes: count('SEAL_BYTES_PER_ACCOUNT') },
      perClient: { seals: count('SEALS_PER_CLIENT'), bytes: count('SEAL_BYTES_PER_CLIENT') },
      inAll: { seals: count('SEALS'), bytes: count('SEAL_BYTES') },
    },
    storedBytes: count('SEAL_STORED_BYTES'),
    lifetime: 1000 * readCount(env, { name: 'SEAL_SECONDS', min: 1, max: 2 ** 31 }),
  }
}

type SealCount = `SEAL${'S' | '_BYTES'}${'' | '_PER_ACCOUNT' | '_PER_CLIENT'}` | 'SEAL_STORED_BYTES'

/** The settings of the faucet, which hands out test dollars of the embedded chain. */
export type FaucetSettings = {
  readonly isOn: boolean
  /** The times that a client, and an account, may use it in a day; 0 for no bound. */
  readonly perDay: number
}

/**
 * Reads the settings of the faucet, which is on by default where only this machine reaches the server.
 *
 * @throws `config/invalid`
 */
export function readFaucet(env: Environment, isLocal: boolean): FaucetSettings {
  return {
    isOn: readFlag(env, 'FAUCET_OPEN', isLocal),
    perDay: readCount(env, { name: 'FAUCET_PER_DAY', min: 0, max: 2 ** 40 }),
  }
}
