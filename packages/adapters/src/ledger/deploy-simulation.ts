import { Failure } from '@heirloom/core'
import { BaseError, getContractAddress, type Hex, type PublicClient, RpcRequestError } from 'viem'
import { ask, failureIn } from './connection.ts'
import { memoryMarketplaceBytecode } from './contracts.generated.ts'
import type { ContractPair } from './pair.ts'
import { withMargin } from './send-once.ts'

/** What a deployment would cost, in gas and wei. */
export type Simulation = {
  readonly gas: bigint
  /** The most that a unit of gas may cost. */
  readonly feePerGas: bigint
  readonly cost: bigint
  /** What the payer has to hold for it, with a reserve that is not spent as things are. */
  readonly needed: bigint
  /** Who would pay, and what would be made; absent when nobody was named. */
  readonly payer:
    | { readonly wallet: Hex; readonly balance: bigint; readonly pair: ContractPair }
    | undefined
}

/**
 * Tries a deployment out on the chain as it is; needs no key, and no funds.
 *
 * @throws `config/invalid` when the chain refuses the contracts, `ledger/unavailable`
 */
export async function simulate(client: PublicClient, wallet?: Hex): Promise<Simulation> {
  const [gas, { maxFeePerGas }] = await Promise.all([
    estimate(client, wallet),
    ask('eth_feeHistory', () => client.estimateFeesPerGas()),
  ])
  return {
    gas,
    feePerGas: maxFeePerGas,
    cost: gas * maxFeePerGas,
    needed: withMargin(gas) * maxFeePerGas,
    payer: wallet && (await payerOf(client, wallet)),
  }
}

/** Returns the addresses that a wallet's transaction of a number makes. */
export function pairMadeBy(wallet: Hex, nonce: number): ContractPair {
  const marketplace = getContractAddress({ from: wallet, nonce: BigInt(nonce) })
  // A contract's own first creation has the number 1, since EIP-161.
  return { registry: getContractAddress({ from: marketplace, nonce: 1n }), marketplace }
}

async function payerOf(client: PublicClient, wallet: Hex): Promise<Simulation['payer']> {
  const [balance, nonce] = await ask('eth_getBalance', () =>
    Promise.all([
      client.getBalance({ address: wallet }),
      client.getTransactionCount({ address: wallet, blockTag: 'pending' }),
    ]),
  )
  return { wallet, balance, pair: pairMadeBy(wallet, nonce) }
}

// No fee is named, so that nodes ask neither for a sender nor for its balance.
async function estimate(client: PublicClient, account?: Hex): Promise<bigint> {
  const data = memoryMarketplaceBytecode
  const call = account === undefined ? { data } : { account, data }
  try {
    return await client.estimateGas(call)
  } catch (cause) {
    const reason = refusal(cause)
    if (reason === undefined) {
      throw new Failure('ledger/unavailable', { operation: 'eth_estimateGas' }, { cause })
    }
    const problem = `names a chain that would refuse the contracts: ${reason}`
    throw failureIn(cause) ?? new Failure('config/invalid', { name: 'RPC_URL', problem }, { cause })
  }
}

/** Returns the node's own words for a refusal, in one short line; absent when it did not answer. */
function refusal(error: unknown): string | undefined {
  const answer =
    error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : undefined
  if (!(answer instanceof RpcRequestError)) return undefined
  const [line = ''] = answer.details.split(/[\r\n]/)
  return line.slice(0, 200).replace(/\.$/, '')
}
