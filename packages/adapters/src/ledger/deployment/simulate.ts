import { getContractAddress, type Hex, type PublicClient } from 'viem'
import type { DeployedPair } from '../contract-pair.ts'
import { callNode } from '../node-call.ts'
import { withGasMargin } from '../transaction.ts'
import { requireClones } from './clone-probe.ts'
import { encodeCreation } from './encode-creation.ts'
import { estimateCreation, requireOpcodes } from './opcode-probe.ts'

/** The cost of a deployment, in gas and wei. */
export type Simulation = {
  readonly gas: bigint
  /** The most that a unit of gas may cost, in wei. */
  readonly feePerGas: bigint
  readonly cost: bigint
  /** The balance that the payer needs, which includes a margin on the gas. */
  readonly needed: bigint
  /** The wallet that would pay and the pair it would deploy; absent without a wallet. */
  readonly payer:
    | { readonly wallet: Hex; readonly balance: bigint; readonly pair: DeployedPair }
    | undefined
}

/**
 * Simulates a deployment on the current state, without a key and without funds.
 *
 * @throws `config/invalid` if the chain refuses the contracts, lacks one of their opcodes or makes
 * clones otherwise; `ledger/unavailable`
 */
export async function simulate(
  client: PublicClient,
  { wallet, dollar }: { readonly wallet?: Hex | undefined; readonly dollar?: Hex | undefined } = {},
): Promise<Simulation> {
  await requireOpcodes(client)
  await requireClones(client)
  const [gas, { maxFeePerGas }] = await Promise.all([
    encodeCreation(dollar).then((data) => estimateCreation(client, data, wallet)),
    callNode('eth_feeHistory', () => client.estimateFeesPerGas()),
  ])
  return {
    gas,
    feePerGas: maxFeePerGas,
    cost: gas * maxFeePerGas,
    needed: withGasMargin(gas) * maxFeePerGas,
    payer: wallet && (await readPayer(client, wallet, dollar)),
  }
}

/** Returns the addresses of the pair that a wallet deploys with a nonce, bound to a dollar or none. */
export function pairAddresses(wallet: Hex, nonce: number, dollar?: Hex): DeployedPair {
  const marketplace = getContractAddress({ from: wallet, nonce: BigInt(nonce) })
  const made = (nonce: bigint) => getContractAddress({ from: marketplace, nonce })
  // The nonce of a contract begins at 1 (EIP-161).
  return { registry: made(3n), marketplace, forwarder: made(2n), depositCode: made(1n), dollar }
}

async function readPayer(
  client: PublicClient,
  wallet: Hex,
  dollar: Hex | undefined,
): Promise<Simulation['payer']> {
  const [balance, nonce] = await callNode('eth_getBalance', () =>
    Promise.all([
      client.getBalance({ address: wallet }),
      client.getTransactionCount({ address: wallet, blockTag: 'pending' }),
    ]),
  )
  return { wallet, balance, pair: pairAddresses(wallet, nonce, dollar) }
}
