import {
  type Account,
  type Dollars,
  dollars,
  Failure,
  type Order,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import type { PaidOrder } from '@heirloom/testkit'
import {
  encodeFunctionData,
  getAbiItem,
  type Hex,
  type LocalAccount,
  type Log,
  maxUint256,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { DeployedPair } from '../../../packages/adapters/src/ledger/contract-pair.ts'
import { memoryMarketplaceAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import {
  testDollarAbi,
  testDollarBytecode,
} from '../../../packages/adapters/src/ledger/deployment/test-dollar.generated.ts'
import {
  encodeOrder,
  orderHash,
} from '../../../packages/adapters/src/ledger/orders/encode-order.ts'
import { paymentAuthorization } from '../../../packages/adapters/src/ledger/orders/payment-authorization.ts'
import { sendOnce } from '../../../packages/adapters/src/ledger/send-once.ts'

/** A node, and the contracts of a pair with a test dollar. */
export type DollarChain = {
  readonly client: PublicClient
  readonly contracts: Pick<DeployedPair, 'marketplace' | 'depositCode'> & { readonly dollar: Hex }
}

const testDollar = { name: 'Heirloom Test Dollar', version: '1' }

/** The test dollars that each party begins with: 10 ** 12. */
const startingDollars = 10n ** 18n

/** Deploys a test dollar and returns its address. */
export async function deployDollar(client: PublicClient, wallet: LocalAccount): Promise<Hex> {
  const call = { operation: 'deploy', data: testDollarBytecode }
  const { contractAddress } = await sendOnce({ client, wallet }, call)
  if (!contractAddress) throw new Error('The test dollar has no address.')
  return contractAddress
}

/** Gives test dollars to accounts, at the cost of a wallet's gas. */
export async function handOutDollars(
  { client, contracts }: DollarChain,
  wallet: LocalAccount,
  holders: readonly Hex[],
): Promise<void> {
  for (const holder of holders) {
    const args = [holder, startingDollars] as const
    const data = encodeFunctionData({ abi: testDollarAbi, functionName: 'faucet', args })
    await sendOnce({ client, wallet }, { operation: 'faucet', to: contracts.dollar, data })
  }
}

/** Returns the test dollars of an account. */
export async function dollarsOf({ client, contracts }: DollarChain, holder: Hex): Promise<Dollars> {
  const token = { address: contracts.dollar, abi: testDollarAbi }
  return dollars(await client.readContract({ ...token, functionName: 'balanceOf', args: [holder] }))
}

/** Pays an order with an authorization that a wallet signs for it, and has it carried out. */
export async function payOrder(
  chain: DollarChain,
  wallet: LocalAccount,
  order: Order,
): Promise<PaidOrder> {
  const { client, contracts } = chain
  const { price } = order
  const paid = await dollarsOf(chain, wallet.address)
  const domain = { chainId: await client.getChainId(), marketplace: contracts.marketplace }
  const nonce = orderHash(order, domain)
  if (paid < price) throw new Failure('order/short', { orderHash: nonce, price, paid })
  const signature = await wallet.signTypedData(
    paymentAuthorization({
      dollar: { ...testDollar, chainId: domain.chainId, address: contracts.dollar },
      marketplace: contracts.marketplace,
      payer: wallet.address as Account,
      orderHash: nonce,
      price,
      validBefore: maxUint256,
    }),
  )
  const args = [encodeOrder(order), wallet.address, 0n, maxUint256, signature] as const
  const data = encodeFunctionData({ abi: memoryMarketplaceAbi, functionName: 'payOrder', args })
  const call = { operation: 'payOrder', to: contracts.marketplace, data }
  return paidIn(await sendOnce({ client, wallet }, call))
}

/** Returns the transaction of an order that was carried out, and the token of a fork. */
export function paidIn({ transactionHash: txHash, logs }: TransactionReceipt): PaidOrder {
  const child = forkIn(logs)
  return child === undefined ? { txHash } : { txHash, tokenId: child }
}

const forked = getAbiItem({ abi: memoryMarketplaceAbi, name: 'ForkedForDollars' })

function forkIn(logs: Log[]): TokenId | undefined {
  const [event] = parseEventLogs({ abi: [forked], logs })
  return event && tokenId(event.args.tokenId)
}

/** Returns the dollar of a pair, which a test needs. */
export function requireDollar({ dollar }: Pick<DeployedPair, 'dollar'>): Account {
  if (dollar === undefined) throw new Error('The pair has no dollar.')
  return dollar as Account
}
