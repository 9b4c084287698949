import { deployContracts } from '@heirloom/adapters/contracts'
import { viemLedger } from '@heirloom/adapters/ledger'
import { account, type Hex, orderActs } from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { encodeFunctionData, maxUint256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { compileSolidity } from '../../../packages/adapters/contracts/solidity.ts'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import {
  depositAddress,
  type EncodedOrder,
  encodedOrderHash,
} from '../../../packages/adapters/src/ledger/orders/encode-order.ts'
import { authorizationTypes } from '../../../packages/adapters/src/ledger/orders/payment-authorization.ts'
import { sendOnce } from '../../../packages/adapters/src/ledger/send-once.ts'
import { clientOf } from '../process/deployer.ts'
import { type Anvil, startAnvil, testClient } from './anvil.ts'
import { deployContract } from './contract-wallets.ts'

/** The wallet that pays the gas, the owner of the tokens, and two accounts with dollars. */
export const [agent, seller, ada, eve] = wallets as unknown as readonly [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
]

/** Each of the prices of a listed token, in the smallest unit of the dollar. */
export const price = 1_000_000n

/** A chain with a dollar that can misbehave, and a relay for orders in it. */
export type DollarRelay = Awaited<ReturnType<typeof openDollarRelay>>

const always = { validAfter: 0n, validBefore: maxUint256 }

/** Opens a relay on a chain whose dollar pauses, blocks accounts and takes fees when it is told to. */
export async function openDollarRelay() {
  const anvil = await startAnvil()
  for (const { address } of wallets) {
    await testClient(anvil).setBalance({ address, value: 10n ** 20n })
  }
  const dollar = await deployAwkwardDollar(anvil)
  const contracts = await deployContracts({
    chain: anvil.url,
    wallet: agent,
    dollar: dollar.address,
  })
  const { relay, close: end } = await viemLedger({ chain: anvil.url, wallet: agent, contracts })
  if (relay === undefined) throw new Error('There is no relay.')
  for (const { address } of wallets) await dollar.send('faucet', [address, 10n ** 12n])
  const close = async () => {
    await end()
    await anvil.stop()
  }
  const chain = { anvil, contracts, dollar }
  return { ...chain, relay, close, ...actsOn(chain), ...signaturesOn(chain) }
}

/** Deploys the dollar that misbehaves, and returns what calls it. */
export async function deployAwkwardDollar(anvil: Anvil) {
  const { AwkwardDollar } = compileSolidity(['test/dollars/AwkwardDollar.sol'])
  const { abi, bytecode = '0x' } = AwkwardDollar ?? {}
  const address = await deployContract(anvil.url, bytecode, seller)
  const client = clientOf(anvil)
  return {
    address,
    send: (functionName: string, args: readonly unknown[]) => {
      const data = encodeFunctionData({ abi, functionName, args } as never)
      return sendOnce({ client, wallet: seller }, { operation: 'test', to: address, data })
    },
    balanceOf: async (holder: Hex) => {
      const call = { address, abi, functionName: 'balanceOf', args: [holder] }
      return (await client.readContract(call as never)) as bigint
    },
  }
}

type Chain = {
  readonly anvil: Anvil
  readonly contracts: Awaited<ReturnType<typeof deployContracts>>
  readonly dollar: Awaited<ReturnType<typeof deployAwkwardDollar>>
}

let count = 0

/** Returns the acts of the seller, and reads of the chain. */
function actsOn({ anvil, contracts }: Chain) {
  const client = clientOf(anvil)
  const send = (to: Hex, call: object) => {
    const data = encodeFunctionData(call as never)
    return sendOnce({ client, wallet: seller }, { operation: 'test', to, data })
  }
  const onMarket = (functionName: string, args: readonly unknown[]) =>
    send(contracts.marketplace, { abi: memoryMarketplaceAbi, functionName, args })
  const registry = { address: contracts.registry, abi: memoryRegistryAbi } as const
  return {
    client,
    onMarket,
    /** Mints a token of the seller that is for sale, rent and fork in dollars. */
    listed: async (): Promise<bigint> => {
      const word: Hex = `0x${`${++count}`.padStart(64, '7')}`
      const args = [seller.address, word, word, 0n]
      await send(contracts.registry, { abi: memoryRegistryAbi, functionName: 'mint', args })
      const id = await client.readContract({ ...registry, functionName: 'totalSupply' })
      await onMarket('listInDollars', [id, price, price, price, 500n])
      return id
    },
    stateOf: (orderHash: Hex) =>
      client.readContract({
        address: contracts.marketplace,
        abi: memoryMarketplaceAbi,
        functionName: 'stateOf',
        args: [orderHash],
      }),
    nonceOfAgent: () => client.getTransactionCount({ address: agent.address }),
    ownerOf: (id: bigint) =>
      client.readContract({ ...registry, functionName: 'ownerOf', args: [id] }),
  }
}

/** Returns orders, and what their payers sign. */
function signaturesOn({ anvil, contracts, dollar }: Chain) {
  const hashOf = async (order: EncodedOrder) => {
    const chainId = await clientOf(anvil).getChainId()
    return encodedOrderHash(order, { chainId, marketplace: contracts.marketplace })
  }
  const domain = async () => ({
    name: 'Heirloom Test Dollar',
    version: '1',
    verifyingContract: dollar.address,
    chainId: await clientOf(anvil).getChainId(),
  })
  return {
    /** Returns an order of Ada to buy a token, with other members in place of its own. */
    orderOf: (tokenId: bigint, more: Partial<EncodedOrder> = {}): EncodedOrder => ({
      act: orderActs.indexOf('buy'),
      tokenId,
      asset: account(dollar.address),
      price,
      recipient: account(ada.address),
      numberOfDays: 0n,
      maxRoyaltyBps: 0n,
      refundTo: account(ada.address),
      deadline: maxUint256,
      salt: `0x${`${++count}`.padStart(64, '0')}`,
      ...more,
    }),
    /** Returns the hash of an order, and the address that it is paid to. */
    placeOf: async (order: EncodedOrder) => {
      const hash = await hashOf(order)
      return { hash, deposit: depositAddress(hash, contracts) }
    },
    /** Signs the payment of an order to the marketplace. */
    payment: async (order: EncodedOrder, signer = ada, from: Hex = signer.address) => {
      const nonce = await hashOf(order)
      const signature = await signer.signTypedData({
        domain: await domain(),
        types: authorizationTypes,
        primaryType: 'ReceiveWithAuthorization',
        message: { from, to: contracts.marketplace, value: order.price, ...always, nonce },
      })
      return { order, payer: account(from), ...always, signature }
    },
    /** Signs a transfer to the address of an order. */
    authorization: async (order: EncodedOrder, value = order.price) => {
      const to = depositAddress(await hashOf(order), contracts)
      const nonce: Hex = `0x${`${++count}`.padStart(64, '9')}`
      const signature = await ada.signTypedData({
        domain: await domain(),
        types: authorizationTypes,
        primaryType: 'TransferWithAuthorization',
        message: { from: ada.address, to, value, ...always, nonce },
      })
      return { payer: account(ada.address), value, ...always, nonce, signature }
    },
  }
}
