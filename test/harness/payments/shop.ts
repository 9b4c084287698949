import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { memoryMarketplaceAbi } from '../../../packages/adapters/src/ledger/contracts.generated.ts'
import { authorizationTypes } from '../../../packages/adapters/src/ledger/orders/payment-authorization.ts'
import { publicAccount } from '../copier.ts'
import { sealerAt } from '../sealer.ts'

/** The addresses that a server names. */
type Deployment = {
  readonly chainId: number
  readonly registry: Hex
  readonly marketplace: Hex
  readonly agent: Hex
  readonly dollar: { readonly address: Hex; readonly name: string; readonly version: string }
}

/** The order in a 402, as JSON has it. */
export type PrintedOrder = Readonly<
  Record<'act' | 'tokenId' | 'price' | 'numberOfDays' | 'maxRoyaltyBps' | 'deadline', string>
> &
  Readonly<Record<'asset' | 'recipient' | 'refundTo' | 'salt', Hex>>

/** The terms of a 402 (x402 version 2). */
export type Requirements = {
  readonly scheme: string
  readonly network: string
  readonly amount: string
  readonly asset: Hex
  readonly payTo: Hex
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly name: string; readonly version: string; readonly order: PrintedOrder }
}

/** A 402, decoded. */
export type PaymentRequired = {
  readonly x402Version: number
  readonly error: string
  readonly resource: { readonly url: string }
  readonly accepts: readonly [Requirements]
}

/** The differences of a payment from one that pays. */
export type PaymentFlaws = {
  readonly to?: Hex
  readonly value?: bigint
  readonly validAfter?: bigint
  readonly validBefore?: bigint
  readonly nonce?: Hex
  readonly chainId?: number
  readonly verifyingContract?: Hex
  readonly from?: Hex
  readonly accepted?: Partial<Requirements>
}

/** The prices of a listing, in millionths of a dollar. */
export type DollarPrices = {
  readonly price?: string
  readonly rentalPricePerDay?: string
  readonly forkPrice?: string
}

export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

export const encodeHeader = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64')

/** Decodes a header of x402. */
export const decodeHeader = <T>(response: Response, name: string): T =>
  JSON.parse(Buffer.from(response.headers.get(name) ?? '', 'base64').toString()) as T

export const requiredBy = (response: Response): PaymentRequired =>
  decodeHeader<PaymentRequired>(response, 'payment-required')

/** Signs a payment for what a 402 asks for, and returns the value of `PAYMENT-SIGNATURE`. */
export async function signPayment(
  payer: PrivateKeyAccount,
  { accepts: [accepted] }: Pick<PaymentRequired, 'accepts'>,
  flaws: PaymentFlaws = {},
): Promise<string> {
  const authorization = authorizationFor(payer, accepted, flaws)
  const signature = await payer.signTypedData({
    domain: {
      name: accepted.extra.name,
      version: accepted.extra.version,
      chainId: flaws.chainId ?? Number(accepted.network.split(':')[1]),
      verifyingContract: flaws.verifyingContract ?? accepted.asset,
    },
    types: { TransferWithAuthorization: authorizationTypes.TransferWithAuthorization },
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  })
  const payload = { signature, authorization }
  return encodeHeader({ x402Version: 2, accepted: { ...accepted, ...flaws.accepted }, payload })
}

function authorizationFor(payer: PrivateKeyAccount, accepted: Requirements, flaws: PaymentFlaws) {
  const soon = BigInt(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds)
  return {
    from: flaws.from ?? payer.address,
    to: flaws.to ?? accepted.payTo,
    value: `${flaws.value ?? accepted.amount}`,
    validAfter: `${flaws.validAfter ?? 0n}`,
    validBefore: `${flaws.validBefore ?? soon}`,
    nonce: flaws.nonce ?? toHex(crypto.getRandomValues(new Uint8Array(32))),
  }
}

const dollarAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function faucet(address, uint256)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
])

/** A market on a server with an embedded chain, whose agent wallet sells for dollars. */
export type Shop = Awaited<ReturnType<typeof shopAt>>

/** Opens a market on a server; the key is one of its API keys, and `rpcUrl` a node of its chain. */
export async function shopAt(url: string, key?: string, rpcUrl = `${url}/rpc`) {
  const deployment = (await (await fetch(`${url}/api/deployment`)).json()) as Deployment
  const { dollar, marketplace } = deployment
  const chain = createPublicClient({ chain: foundry, transport: http(rpcUrl), cacheTime: 0 })
  const send = async (path: string, body: object) => {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const headers = { 'content-type': 'application/json', ...authorization }
    return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const list = async (tokenId: string, prices: DollarPrices) => {
    const free = { price: '0', rentalPricePerDay: '0', forkPrice: '0' }
    const terms = { tokenId, ...free, forkRoyaltyBps: 500, dollars: { ...free, ...prices } }
    const response = await send('/api/marketplace/list', terms)
    if (response.status !== 201) throw new Error(await response.text())
  }
  return {
    url,
    chain,
    deployment,
    send,
    list,
    /** Mints a token with a memory and lists it. */
    offer: async (prices: DollarPrices, mood = 'calm'): Promise<string> => {
      const memory = { data: { mood }, metadata: { category: 'research' } }
      const minted = await (await send('/api/memory/snapshot', memory)).json()
      const { tokenId } = minted as { readonly tokenId: string }
      await list(tokenId, prices)
      return tokenId
    },
    dollarsOf: (holder: Hex): Promise<bigint> =>
      chain.readContract({
        address: dollar.address,
        abi: dollarAbi,
        functionName: 'balanceOf',
        args: [holder],
      }),
    /** Gives test dollars, at the cost of a public test account. */
    fund: async (holder: Hex, amount = 100_000_000n) => {
      const data = encodeFunctionData({
        abi: dollarAbi,
        functionName: 'faucet',
        args: [holder, amount],
      })
      await (await sealerAt(url, publicAccount(5))).sendTo(data, dollar.address)
    },
    /** Uses a signed payment at once, as anybody can who saw it. */
    useEarly: async (header: string) => {
      const { payload } = JSON.parse(Buffer.from(header, 'base64').toString())
      const { from, to, value, validAfter, validBefore, nonce } = payload.authorization
      const data = encodeFunctionData({
        abi: dollarAbi,
        functionName: 'transferWithAuthorization',
        args: [
          from,
          to,
          BigInt(value),
          BigInt(validAfter),
          BigInt(validBefore),
          nonce,
          payload.signature,
        ],
      })
      await (await sealerAt(url, publicAccount(6))).sendTo(data, dollar.address)
    },
    stateOf: (orderHash: Hex) =>
      chain.readContract({
        address: marketplace,
        abi: memoryMarketplaceAbi,
        functionName: 'stateOf',
        args: [orderHash],
      }),
    rentalOf: async (tokenId: string, renter: Hex): Promise<bigint> => {
      const args = [BigInt(tokenId), renter] as const
      const market = { address: marketplace, abi: memoryMarketplaceAbi } as const
      const access = await chain.readContract({ ...market, functionName: 'accessOf', args })
      return access[2]
    },
    ownerOf: async (tokenId: string): Promise<Hex> => {
      const args = [BigInt(tokenId), dollar.address] as const
      const market = { address: marketplace, abi: memoryMarketplaceAbi } as const
      return (await chain.readContract({ ...market, functionName: 'accessOf', args }))[0]
    },
  }
}
