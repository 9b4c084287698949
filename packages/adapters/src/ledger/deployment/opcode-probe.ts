import { Failure } from '@heirloom/core'
import { BaseError, type Hex, type PublicClient, RpcRequestError } from 'viem'
import { callNode, failureIn } from '../node-call.ts'

/** An opcode of the contracts, the fork that introduced it, and init code that executes it. */
type Probe = { readonly opcode: string; readonly since: string; readonly creation: Hex }

/**
 * The probes of every opcode that is younger than the merge. The deployment executes only few of
 * them: on a chain without the others it would succeed, and the first listing would fail.
 */
export const probes: readonly Probe[] = [
  { opcode: 'PUSH0', since: 'shanghai', creation: '0x5f5000' },
  { opcode: 'MCOPY', since: 'cancun', creation: '0x6000600060005e00' },
  { opcode: 'TSTORE', since: 'cancun', creation: '0x600060005d00' },
  { opcode: 'TLOAD', since: 'cancun', creation: '0x60005c5000' },
]

/** Init code that stops at once, which every chain executes. */
const emptyCreation: Hex = '0x00'

/**
 * Requires that the chain executes every opcode of the contracts. Sends no transaction.
 *
 * @throws `config/invalid`, which names the missing opcodes; `ledger/unavailable`
 */
export async function requireOpcodes(client: PublicClient): Promise<void> {
  await estimateCreation(client, emptyCreation)
  const refused = await Promise.all(
    probes.map(({ creation }) => isCreationRefused(client, creation)),
  )
  const missing = probes.filter((_, index) => refused[index])
  if (missing.length === 0) return
  const chainId = await callNode('eth_chainId', () => client.getChainId())
  const problem = `names chain ${chainId}, which does not execute ${listOpcodes(missing)}; the contracts need a chain with the rules of cancun or later`
  throw new Failure('config/invalid', { name: 'RPC_URL', problem })
}

/**
 * Returns the gas of a contract creation, by an account if one is given.
 *
 * @throws `config/invalid` if the chain refuses it, `ledger/unavailable`
 */
export async function estimateCreation(
  client: PublicClient,
  data: Hex,
  account?: Hex,
): Promise<bigint> {
  // Without a fee, nodes require neither a sender nor a balance.
  const call = account === undefined ? { data } : { account, data }
  try {
    return await client.estimateGas(call)
  } catch (cause) {
    const reason = refusalReason(cause)
    if (reason === undefined) throw unavailable(cause)
    const problem = `names a chain that would refuse the contracts: ${reason}`
    throw failureIn(cause) ?? new Failure('config/invalid', { name: 'RPC_URL', problem }, { cause })
  }
}

/** Returns whether the chain refuses a contract creation. @throws `ledger/unavailable` */
export async function isCreationRefused(client: PublicClient, data: Hex): Promise<boolean> {
  try {
    await client.estimateGas({ data })
    return false
  } catch (cause) {
    if (refusalReason(cause) === undefined) throw unavailable(cause)
    return true
  }
}

const unavailable = (cause: unknown) =>
  new Failure('ledger/unavailable', { operation: 'eth_estimateGas' }, { cause })

// Made only here: the first list format of a process takes as long as a third of a start of Node.
const listOpcodes = (missing: readonly Probe[]): string =>
  new Intl.ListFormat('en-GB').format(missing.map(({ opcode, since }) => `${opcode} (${since})`))

/** Returns the node's reason for a refusal, in one line; `undefined` if it did not answer. */
export function refusalReason(error: unknown): string | undefined {
  const answer =
    error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : undefined
  if (!(answer instanceof RpcRequestError)) return undefined
  const [line = ''] = answer.details.split(/[\r\n]/)
  return line.slice(0, 200).replace(/\.$/, '')
}
