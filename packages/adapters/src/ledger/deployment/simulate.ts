import { getContractAddress, type Hex, type PublicClient } from 'viem'
import { ask } from '../connection.ts'
import { memoryMarketplaceBytecode } from '../contracts.generated.ts'
import { estimateCreation, requireOpcodes } from './opcode-probe.ts'
import type { ContractPair } from '../contract-pair.ts'
import { withMargin } from '../send-once.ts'

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
 * @throws `config/invalid` when the chain refuses the contracts, or would not execute all of them;
 * `ledger/unavailable`
 */
export async function simulate(client: PublicClient, wallet?: Hex): Promise<Simulation> {
  await requireOpcodes(client)
  const [gas, { maxFeePerGas }] = await Promise.all([
    estimateCreation(client, memoryMarketplaceBytecode, wallet),
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
