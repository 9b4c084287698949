import { Failure } from '@heirloom/core'
import {
  concat,
  getContractAddress,
  type Hex,
  type PublicClient,
  pad,
  size,
  toHex,
  zeroAddress,
} from 'viem'
import type { DeployedPair } from '../contract-pair.ts'
import { callNode } from '../node-call.ts'
import { withGasMargin } from '../transaction.ts'
import { estimateCreation, isCreationRefused, requireOpcodes } from './opcode-probe.ts'

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

/** Init code of a clone (EIP-1167) of the precompile that returns its input. */
const cloneCreation: Hex =
  '0x3d602d80600a3d3981f3363d3d373d3d3d363d7300000000000000000000000000000000000000045af43d82803e903d91602b57fd5bf3'

/** The memory of the probe: the parts of the text whose hash is the clone's address. */
const text = { start: 0xa0, deployer: 0x95, salt: 0xb5, hash: 0xd5, length: 85 }

const push = (value: number): Hex => `0x60${toHex(value, { size: 1 }).slice(2)}`

/**
 * Init code that makes a clone by CREATE2 and reverts unless its address follows from the deployer,
 * the salt and the code (EIP-1014), and a call of it returns what the precompile returns. Chains with
 * another virtual machine differ in both, and the addresses that orders are paid to would be wrong.
 */
export const cloneProbe: Hex = withLength((start, end) =>
  concat([
    // Copies the init code of the clone, which follows this code, to memory.
    ...[push(size(cloneCreation)), push(start), push(0), '0x39' as const],
    // clone = create2(value: 0, offset: 0, size, salt: 1)
    ...[push(1), push(size(cloneCreation)), push(0), push(0), '0xf5' as const],
    // text = 0xff ‖ deployer ‖ salt ‖ keccak256(init code)
    ...['0x30' as const, push(text.deployer), '0x52' as const],
    ...[push(0xff), push(text.start), '0x53' as const],
    ...[push(1), push(text.salt), '0x52' as const],
    ...[push(size(cloneCreation)), push(0), '0x20' as const, push(text.hash), '0x52' as const],
    // require((keccak256(text) ^ clone) << 96 == 0)
    ...[push(text.length), push(text.start), '0x20' as const, '0x81' as const, '0x18' as const],
    ...[push(96), '0x1b' as const, push(end), '0x57' as const],
    // require(clone.call(clone) == clone): the stack is clone, then call(gas, clone, 0, 0, 32, 32, 32)
    ...['0x80' as const, push(0), '0x52' as const, push(32), push(32), push(32), push(0), push(0)],
    ...['0x85' as const, '0x5a' as const, '0xf1' as const, '0x50' as const],
    ...[push(32), '0x51' as const, '0x18' as const, push(end), '0x57' as const, '0x00' as const],
    // end: revert(0, 0)
    ...['0x5b' as const, push(0), push(0), '0xfd' as const],
  ]),
)

/** Returns code that knows its own length and where its last six bytes, the revert, begin. */
function withLength(codeOf: (length: number, end: number) => Hex): Hex {
  const length = size(codeOf(0, 0))
  return concat([codeOf(length, length - 6), cloneCreation])
}

/**
 * Requires that the chain makes clones at the addresses that the contracts expect. Sends no
 * transaction.
 *
 * @throws `config/invalid`, `ledger/unavailable`
 */
async function requireClones(client: PublicClient): Promise<void> {
  if (!(await isCreationRefused(client, cloneProbe))) return
  const chainId = await callNode('eth_chainId', () => client.getChainId())
  const problem = `names chain ${chainId}, which makes contracts at other addresses than CREATE2 (EIP-1014) does, or does not run clones (EIP-1167); orders could not be paid there`
  throw new Failure('config/invalid', { name: 'RPC_URL', problem })
}

/** Returns the code that deploys a pair, bound to a dollar or to none. */
export async function encodeCreation(dollar: Hex = zeroAddress): Promise<Hex> {
  // Only a deployment needs the code, which is large.
  const { memoryMarketplaceBytecode } = await import('./creation.generated.ts')
  return `${memoryMarketplaceBytecode}${pad(dollar).slice(2).toLowerCase()}`
}
