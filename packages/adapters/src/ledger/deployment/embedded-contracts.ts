import { Failure } from '@heirloom/core'
import {
  getContractAddress,
  type Hex,
  type LocalAccount,
  type PublicClient,
  parseTransaction,
  recoverTransactionAddress,
  type Transaction,
  type TransactionSerialized,
} from 'viem'
import { type Chain, connect } from '../connection.ts'
import { type DeployedPair, findPair, requirePair } from '../contract-pair.ts'
import { callNode } from '../node-call.ts'
import { sendOnce } from '../send-once.ts'
import { deployContracts } from './deploy.ts'
import { pairAddresses } from './simulate.ts'

/** The facts of the test dollar, but for its address. */
export const testDollar = {
  symbol: 'TUSD',
  decimals: 6,
  name: 'Heirloom Test Dollar',
  version: '1',
} as const

type Parts = { readonly chain: Chain; readonly wallet: LocalAccount }

/**
 * Returns the contract pair of an embedded chain, whose first two transactions are always those that
 * deploy a test dollar and a pair bound to it. Sends those that the chain lacks.
 *
 * @throws `config/invalid` if the chain began otherwise, and the failures of `deployContracts`
 */
export async function embeddedContracts({ chain, wallet }: Parts): Promise<DeployedPair> {
  const client = connect(chain)
  const founding = await readFounding(client)
  if (founding === undefined) {
    const dollar = await deployTestDollar(client, wallet)
    return deployContracts({ chain, wallet, dollar })
  }
  const { from, nonce, height } = founding
  const { marketplace, dollar } = foundedBy(from, nonce)
  const search = await findPair(client, { marketplace })
  if (search.kind !== 'absent' || height > 1n) return requirePair(client, { marketplace })
  return deployContracts({ chain, wallet, dollar })
}

/**
 * Returns the addresses of an embedded chain's pair, which follow from the sender of the chain's
 * first transaction; on a new chain that is the given wallet. Does not check that the pair exists.
 *
 * @throws `config/invalid` if the chain began otherwise, viem's error if `first` is no signed
 * transaction
 */
export async function foundingPair(founding: {
  readonly first: Hex | undefined
  readonly wallet: LocalAccount
  /** Whether the wallet signs a transaction alike each time, as a key service need not. */
  readonly signsAlike?: boolean
}): Promise<DeployedPair> {
  const { first, wallet, signsAlike = true } = founding
  if (first === undefined) return foundedBy(wallet.address, 0)
  const { r: _r, s: _s, v: _v, yParity: _yParity, ...unsigned } = parseTransaction(first)
  await requireFounding(unsigned.data)
  // ECDSA is deterministic here (RFC 6979), so signing again is a cheaper check than recovery.
  const isOwn = signsAlike && (await wallet.signTransaction(unsigned)) === first
  const signer = isOwn ? wallet.address : await recoverSigner(first as TransactionSerialized)
  return foundedBy(signer, unsigned.nonce ?? 0)
}

/** Returns the pair whose dollar an account deployed with a nonce, and the pair with the next one. */
function foundedBy(from: Hex, nonce: number): DeployedPair {
  return pairAddresses(from, nonce + 1, getContractAddress({ from, nonce: BigInt(nonce) }))
}

const recoverSigner = (serializedTransaction: TransactionSerialized) =>
  recoverTransactionAddress({ serializedTransaction })

type Founding = Pick<Transaction, 'from' | 'nonce'> & { readonly height: bigint }

/** Returns the first transaction of a chain and the chain's height; `undefined` on a new chain. */
async function readFounding(client: PublicClient): Promise<Founding | undefined> {
  const [height, first] = await callNode('eth_getBlockByNumber', async () => {
    const height = await client.getBlockNumber()
    if (height === 0n) return [height, undefined]
    const { transactions } = await client.getBlock({ blockNumber: 1n, includeTransactions: true })
    return [height, transactions[0]]
  })
  if (first === undefined) return undefined
  await requireFounding(first.input)
  return { from: first.from, nonce: first.nonce, height }
}

/** Requires that the first transaction of a chain deploys the test dollar. */
async function requireFounding(input: Hex = '0x'): Promise<void> {
  const { testDollarBytecode } = await import('./test-dollar.generated.ts')
  if (input === testDollarBytecode) return
  throw new Failure('config/invalid', {
    name: 'DATA_DIR',
    problem:
      'names a folder whose chain was made by a version before 0.2.0; name another folder, and make its memories anew there',
  })
}

async function deployTestDollar(client: PublicClient, wallet: LocalAccount): Promise<Hex> {
  const { testDollarBytecode } = await import('./test-dollar.generated.ts')
  const call = { operation: 'deploy', data: testDollarBytecode }
  const { contractAddress } = await sendOnce({ client, wallet }, call)
  return contractAddress ?? '0x'
}
