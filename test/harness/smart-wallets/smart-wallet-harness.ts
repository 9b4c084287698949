import { randomBytes } from 'node:crypto'
import {
  type Account,
  dollars,
  type Hash,
  instant,
  type Order,
  type OrderAct,
  tokenId,
  toSeconds,
} from '@heirloom/core'
import { createClient } from '@heirloom/http/client'
import { openWallet, type WalletAccount } from '@heirloom/http/wallet'
import { bytesToHex, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { orderHash } from '../../../packages/adapters/src/ledger/orders/encode-order.ts'
import { paymentAuthorization } from '../../../packages/adapters/src/ledger/orders/payment-authorization.ts'
import { sealHeaders } from '../../../packages/http/test/seal-headers.ts'
import { publicAccount } from '../copier.ts'
import { type RelayReply, relayerAt } from '../relayer.ts'
import { bodyOf, type SealReply } from '../sealer.ts'
import { providerOf, type SmartWallet } from './smart-wallet.ts'
import { walletChainAt } from './wallet-chain.ts'

const erc20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function faucet(address to, uint256 amount)',
])

/** The part of an order that a test chooses. */
export type OrderSketch = {
  readonly act: OrderAct
  readonly tokenId: string
  readonly price: bigint
  readonly recipient: Hex
  readonly days?: number
  readonly maxRoyaltyBps?: number
}

/** A signer for an account, with a key or as a contract. */
export type Signing = Pick<SmartWallet, 'address' | 'signMessage' | 'signTypedData'>

/** A server, and all that smart wallets do there over HTTP. */
export type SmartWalletHarness = Awaited<ReturnType<typeof openSmartWalletHarness>>

/** Opens a harness on a running server with an embedded chain. */
export async function openSmartWalletHarness(url: string) {
  const chain = walletChainAt(url, publicAccount(9))
  const relayer = await relayerAt(url)
  const client = createClient({ url })
  const { registry, dollar } = await client.deployment()
  if (!dollar) throw new Error('The server has no dollar.')
  const { chainId, marketplace } = relayer.deployment
  const asset = dollar.address as Account
  const encodeOrder = (sketch: OrderSketch): Order => ({
    days: 0,
    maxRoyaltyBps: 0,
    ...sketch,
    asset,
    tokenId: tokenId(sketch.tokenId),
    price: dollars(sketch.price),
    recipient: sketch.recipient as Account,
    refundTo: sketch.recipient as Account,
    deadline: instant((Math.floor(Date.now() / 1000) + 600) * 1000),
    salt: bytesToHex(randomBytes(32)),
  })
  const signPayment = async (payer: Signing, order: Order) => {
    const validBefore = BigInt(toSeconds(order.deadline))
    const of = { ...dollar, address: asset, chainId }
    const hash: Hash = orderHash(order, { chainId, marketplace })
    const payment = { marketplace, orderHash: hash, price: order.price, validBefore }
    const text = paymentAuthorization({ dollar: of, payer: payer.address as Account, ...payment })
    return { signature: await payer.signTypedData(text), validBefore }
  }
  return {
    url,
    chain,
    client,
    relayer,
    walletOf: (account: WalletAccount) => openWallet({ url, account, registry: registry as Hex }),
    /** Opens the wallet package for a smart wallet, as its app offers it to programs. */
    smart: (wallet: SmartWallet) =>
      openWallet({ url, account: providerOf(chain, wallet), registry: registry as Hex }),
    clientOf: (account: Signing) => createClient({ url, account }),
    openAs: async (account: Signing, id: string) =>
      (await createClient({ url, account }).download(id)).data,
    fund: (to: Hex, value: bigint) => chain.send({ to, value }),
    giveDollars: (to: Hex, amount: bigint) =>
      chain.send({
        to: asset,
        data: encodeFunctionData({ abi: erc20, functionName: 'faucet', args: [to, amount] }),
      }),
    dollarsOf: (holder: Hex) =>
      chain.client.readContract({
        address: asset,
        abi: erc20,
        functionName: 'balanceOf',
        args: [holder],
      }),
    ownerOf: (id: string) =>
      chain.client.readContract({
        address: registry as Hex,
        functionName: 'ownerOf',
        args: [BigInt(id)],
        abi: parseAbi(['function ownerOf(uint256) view returns (address)']),
      }),
    /** Pays an order with dollars of an account, by what the account signs; the server sends it. */
    payAs: async (payer: Signing, sketch: OrderSketch): Promise<RelayReply> => {
      const order = encodeOrder(sketch)
      const { signature, validBefore } = await signPayment(payer, order)
      const text = printOrder(order)
      const payment = { payer: payer.address, validAfter: '0', validBefore: `${validBefore}` }
      return relayer.post({ payOrder: { order: text, ...payment, signature } })
    },
    /** Has a memory sealed for an account that proves itself. */
    sealAs: async (account: Signing, text: string): Promise<SealReply> => {
      const body = bodyOf(text)
      const place = { host: new URL(url).host, chainId, registry: registry as Hex }
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = await sealHeaders(account, body, { place, timestamp })
      const response = await fetch(`${url}/api/memory/seal`, { method: 'POST', headers, body })
      return { ...((await response.json()) as SealReply), status: response.status }
    },
    infoOf: (id: string) => client.info(id),
  }
}

/** Returns an order as the relay takes it. */
function printOrder(order: Order) {
  return {
    act: order.act,
    tokenId: `${order.tokenId}`,
    asset: order.asset,
    price: `${order.price}`,
    recipient: order.recipient,
    numberOfDays: `${order.days}`,
    maxRoyaltyBps: `${order.maxRoyaltyBps}`,
    refundTo: order.refundTo ?? order.recipient,
    deadline: `${toSeconds(order.deadline)}`,
    salt: order.salt,
  }
}
