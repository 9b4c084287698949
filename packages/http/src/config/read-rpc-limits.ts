import { publicLimits } from '@heirloom/adapters/internal/public-rpc-limits'
import {
  type Environment,
  readFlag,
  readInteger,
  readText,
  splitList,
  wrongValue,
} from './environment.ts'

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
  const gas = readInteger(env, { name: 'RPC_GAS', min: 21_000, max: 2 ** 24 })
  const gasPerDay = readInteger(env, { name: 'RPC_GAS_PER_DAY', min: 0, max: 2 ** 48 })
  const defaults = publicLimits
  return {
    isOn: readFlag(env, 'RPC_OPEN', isLocal),
    gas: gas === undefined ? defaults.gas : BigInt(gas),
    gasPerDay: gasPerDay === undefined ? defaults.gasPerDay : BigInt(gasPerDay),
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
