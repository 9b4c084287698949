import type { Card, Hex } from '@heirloom/core'
import { vi } from 'vitest'
import type { ActEvent } from '../../packages/http/page/src/acts/act-stage.ts'
import { isHeirloomError } from '../../packages/http/src/client/heirloom-error.ts'
import { checkSeal, type Seal } from '../../packages/http/src/wallet/check-seal.ts'
import { openWallet } from '../../packages/http/src/wallet/open-wallet.ts'
import { type InjectedWallet, injectedWallet } from './injected-wallet.ts'
import './storage.ts'

/** A memory that a wallet has sealed for itself. */
export type SealTerms = {
  readonly chainId: number
  readonly registry: Hex
  readonly creator: Hex
  readonly parent: bigint
  readonly card: Card | undefined
  readonly document: Uint8Array
  /** The time of the check, in milliseconds. */
  readonly now: number
}

/** A rental in dollars, at the price that the account agreed to. */
export type Rental = {
  readonly tokenId: string
  readonly seller: Hex
  readonly perDay: bigint
  readonly days: number
  /** Called when the wallet has shown the price, before it signs. */
  readonly before?: () => Promise<void>
}

/** An offer of a token, in wei. */
export type Offer = { readonly tokenId: string; readonly price: bigint }

/** The acts of one account; each throws `Refused` unless the chain shows that it was carried out. */
export type AttackedWallet = {
  readonly rent: (rental: Rental) => Promise<void>
  readonly list: (offer: Offer) => Promise<void>
}

/** A wallet, its check of a seal, and how it is opened. */
export type AttackedKind = {
  readonly name: string
  /** Returns whether it would sign the mint of a seal; throws if it fails instead of a refusal. */
  readonly accepts: (seal: unknown, terms: SealTerms) => Promise<boolean>
  readonly open: (at: Place) => Promise<AttackedWallet>
}

/** The server, which may lie, and the wallet app of the account, which is its node as well. */
export type Place = { readonly url: string; readonly app: App }

/** A wallet app, whose answers a test may change. */
export type App = InjectedWallet & { answer: (method: string, honest: unknown) => unknown }

/** Starts the app of a key, with the node at a URL. */
export const openApp = (key: Hex, node: string): App =>
  Object.assign(
    injectedWallet(key, () => node),
    { answer: (_: string, honest: unknown) => honest },
  )

/** The wallet refused, or the act was not carried out as far as it knows. */
export class Refused extends Error {}

type Call = { readonly method: string; readonly params?: unknown }

const providerOf = (app: App) => ({
  request: async ({ method, params = [] }: Call) =>
    app.answer(method, await app.request(method, params as readonly unknown[])),
})

async function refusing<T>(act: () => Promise<T>): Promise<T> {
  return act().catch((cause: unknown) => {
    throw isHeirloomError(cause) ? new Refused(cause.code, { cause }) : cause
  })
}

const clientWallet: AttackedKind = {
  name: 'the wallet of the client',
  accepts: async (seal, terms) =>
    checkSeal(seal as Seal, { ...terms, recipient: terms.creator }).then(
      () => true,
      (error: unknown) => {
        if (isHeirloomError(error, 'client/not-as-requested')) return false
        throw error
      },
    ),
  open: async ({ url, app }) => {
    const account = providerOf(app)
    const options = { url, account, retries: 0, timeout: 5_000 }
    const isRich = BigInt(
      (await app.request('eth_getBalance', [app.account.address, 'latest'])) as Hex,
    )
    const wallet = await openWallet({ ...options, relay: isRich === 0n })
    return {
      rent: ({ tokenId, perDay, days, before }) =>
        refusing(async () => {
          const maxDollars = perDay * BigInt(days)
          await before?.()
          await wallet.rent(tokenId, { durationDays: days, maxDollars })
        }),
      list: (offer) =>
        refusing(async () => {
          await wallet.list({ ...offer, rentalPricePerDay: 0n, forkPrice: 0n, forkRoyaltyBps: 0 })
        }),
    }
  },
}

/** Provides the parts of a browser that the modules of the page read when they are loaded. */
function stubBrowser(url: string): void {
  const { fetch } = globalThis
  const storage = () => {
    const stored = new Map<string, string>()
    return {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }
  }
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('location', new URL(url))
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    fetch(typeof input === 'string' ? new URL(input, url) : input, init),
  )
}

/** Loads the modules of the page that act, in a browser that is at a server. */
async function loadPage(url: string) {
  stubBrowser(url)
  const { deployment } = await import('../../packages/http/page/src/api/deployment.ts')
  deployment.value = undefined
  const { Problem } = await import('../../packages/http/page/src/api/problem.ts')
  const { estimateCost } = await import('../../packages/http/page/src/acts/estimate-cost.ts')
  const { sendAct } = await import('../../packages/http/page/src/acts/send-act.ts')
  const { followAct } = await import('../../packages/http/page/src/acts/follow-act.ts')
  return { Problem, estimateCost, sendAct, followAct }
}

type PageAct = Parameters<Awaited<ReturnType<typeof loadPage>>['sendAct']>[0]

const page: AttackedKind = {
  name: 'the page',
  accepts: async (seal, terms) => {
    const { unmintedSeal } = await import('../../packages/http/page/src/create/seal-memory.ts')
    const { Problem } = await import('../../packages/http/page/src/api/problem.ts')
    const named = { ...terms, recipient: terms.creator, name: 'memory.json' }
    return unmintedSeal(seal as Seal, named).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem && error.code === 'seal/not-as-requested') return false
        throw error
      },
    )
  },
  open: async ({ url, app }) => {
    const { Problem, estimateCost, sendAct, followAct } = await loadPage(url)
    const provider = providerOf(app)
    const { address: account } = app.account
    const wallet = { name: 'App', account, chainId: 31_337, provider, isDevelopment: false }
    const follow = async (act: PageAct, before?: () => Promise<void>) => {
      const cost = await estimateCost(act, wallet)
      await before?.()
      const sent = await sendAct(act, wallet, cost)
      const { promise, resolve } = Promise.withResolvers<ActEvent>()
      const stop = new AbortController()
      const dispatch = (event: ActEvent) => {
        if (event.kind === 'mined' || event.kind === 'refused') resolve(event)
      }
      await followAct({ act, sent }, { chain: () => provider, dispatch, signal: stop.signal })
      const event = await promise
      stop.abort()
      if (event.kind === 'refused') throw event.problem
    }
    const refused = (act: PageAct, before?: () => Promise<void>) =>
      follow(act, before).catch((cause: unknown) => {
        throw cause instanceof Problem ? new Refused(cause.code, { cause }) : cause
      })
    return {
      rent: ({ before, perDay, ...rental }) =>
        refused({ kind: 'rent', currency: 'dollar', perDay: `${perDay}`, ...rental }, before),
      list: ({ tokenId, price }) => {
        const prices = { price: `${price}`, rentalPricePerDay: '0', forkPrice: '0' }
        const terms = { currency: 'native', ...prices, forkRoyaltyBps: 0 } as const
        return refused({ kind: 'list', tokenId, terms })
      },
    }
  },
}

/** The wallets of this house: what is shown of one of them is shown of all. */
export const attackedKinds: readonly AttackedKind[] = [clientWallet, page]
