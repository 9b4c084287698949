import { Failure } from '@heirloom/core'
import { BaseError, type Hex, type PublicClient, RpcRequestError } from 'viem'
import { ask, failureIn } from '../connection.ts'

/** An instruction that the contracts use, the upgrade that brought it, and a creation that runs it. */
type Probe = { readonly opcode: string; readonly since: string; readonly creation: Hex }

/**
 * All that is younger than the merge. Creating the contracts runs few of them, so that on a chain
 * without the others the deployment would succeed, and the first listing fail.
 */
export const probes: readonly Probe[] = [
  { opcode: 'PUSH0', since: 'shanghai', creation: '0x5f5000' },
  { opcode: 'MCOPY', since: 'cancun', creation: '0x6000600060005e00' },
  { opcode: 'TSTORE', since: 'cancun', creation: '0x600060005d00' },
  { opcode: 'TLOAD', since: 'cancun', creation: '0x60005c5000' },
]

/** A creation that stops at once, which every chain carries out. */
const nothing: Hex = '0x00'

/**
 * Refuses a chain that does not execute what the contracts are made of; sends nothing.
 *
 * @throws `config/invalid`, which names what is missing; `ledger/unavailable`
 */
export async function requireOpcodes(client: PublicClient): Promise<void> {
  await estimateCreation(client, nothing)
  const refused = await Promise.all(probes.map(({ creation }) => isRefused(client, creation)))
  const missing = probes.filter((_, index) => refused[index])
  if (missing.length === 0) return
  const chainId = await ask('eth_chainId', () => client.getChainId())
  const problem = `names chain ${chainId}, which does not execute ${listed(missing)}; the contracts need a chain with the rules of cancun or later`
  throw new Failure('config/invalid', { name: 'RPC_URL', problem })
}

/**
 * Returns the gas of a creation, by anybody when no account is named.
 *
 * @throws `config/invalid` when the chain refuses it, `ledger/unavailable`
 */
export async function estimateCreation(
  client: PublicClient,
  data: Hex,
  account?: Hex,
): Promise<bigint> {
  // No fee is named, so that nodes ask neither for a sender nor for its balance.
  const call = account === undefined ? { data } : { account, data }
  try {
    return await client.estimateGas(call)
  } catch (cause) {
    const reason = refusal(cause)
    if (reason === undefined) throw unavailable(cause)
    const problem = `names a chain that would refuse the contracts: ${reason}`
    throw failureIn(cause) ?? new Failure('config/invalid', { name: 'RPC_URL', problem }, { cause })
  }
}

async function isRefused(client: PublicClient, data: Hex): Promise<boolean> {
  try {
    await client.estimateGas({ data })
    return false
  } catch (cause) {
    if (refusal(cause) === undefined) throw unavailable(cause)
    return true
  }
}

const unavailable = (cause: unknown) =>
  new Failure('ledger/unavailable', { operation: 'eth_estimateGas' }, { cause })

const names = new Intl.ListFormat('en-GB')

const listed = (missing: readonly Probe[]): string =>
  names.format(missing.map(({ opcode, since }) => `${opcode} (${since})`))

/** Returns the node's own words for a refusal, in one short line; absent when it did not answer. */
function refusal(error: unknown): string | undefined {
  const answer =
    error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : undefined
  if (!(answer instanceof RpcRequestError)) return undefined
  const [line = ''] = answer.details.split(/[\r\n]/)
  return line.slice(0, 200).replace(/\.$/, '')
}
