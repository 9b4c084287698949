import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import {
  documentOf,
  Failure,
  type FailureCode,
  failureCodes,
  fromSeconds,
  hash,
  type Idempotency,
  instant,
  type MemoryService,
  tokenId,
  type Wei,
  wei,
} from '@heirloom/core'
import { isHeirloomError } from '@heirloom/http/client'
import { openWallet, type SigningAccount, type Wallet } from '@heirloom/http/wallet'
import { wallets } from '@heirloom/testkit'
import type { FastifyInstance } from 'fastify'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'
import type { OpenHarness } from './evm.ts'
import { type HttpHarness, openHttpHarness } from './http.ts'

/**
 * Opens the HTTP harness with parties that act with wallets of their own, each at the server of
 * another party. Downloads and reads still go to the server of the party.
 */
export async function openOwnWalletHarness(): Promise<OpenHarness> {
  const harness = await openHttpHarness()
  const node = await serveChain(harness)
  const services = await Promise.all(
    harness.services.map(async (service, party) => ({
      ...service,
      ...ownActs(await openWalletOf(harness, party, node.url)),
    })),
  )
  const close = async () => {
    await node.close()
    await harness.close()
  }
  return { ...harness, services, close }
}

/** Opens the wallet of a party, at the server of another party. */
export function openWalletOf({ servers, now }: HttpHarness, party: number, rpcUrl: string) {
  const guest = servers[(party + 1) % servers.length]
  if (guest === undefined) throw new Error('There is no server.')
  const timers = { now, random: () => 0, wait: async () => undefined }
  return openWallet({
    url: 'http://127.0.0.1',
    fetch: fetchOf(guest),
    retries: 0,
    account: wallets[party] as unknown as SigningAccount,
    rpcUrl,
    timers,
  })
}

/** Returns a `fetch` that calls the routes of a server in this process. */
const fetchOf =
  (server: FastifyInstance): typeof globalThis.fetch =>
  async (input, init) => {
    const { host, pathname } = new URL(`${input}`)
    const reply = await server.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: pathname,
      headers: { host, ...(init?.headers as Record<string, string>) },
      ...(init?.body ? { payload: Buffer.from(init.body as Uint8Array) } : {}),
    })
    const headers = { 'content-type': `${reply.headers['content-type']}` }
    return new Response(new Uint8Array(reply.rawPayload), { status: reply.statusCode, headers })
  }

type OwnActs = Pick<MemoryService, 'snapshot' | 'list' | 'buy' | 'rent' | 'fork' | 'royalty'>
type Keyed = { readonly idempotency?: Idempotency | undefined }

/** Returns the verbs of a service that a wallet signs and pays. */
function ownActs(wallet: Wallet): OwnActs {
  return {
    snapshot: ({ bundle, card, parent, recipient, ...keyed }) =>
      withCoreFailures(async () => {
        const document = documentOf(bundle)
        const memory = { document, card, parentTokenId: parent, recipient }
        const minted = await wallet.snapshot(memory, optionsOf(keyed))
        return {
          tokenId: tokenId(minted.tokenId),
          contentHash: hash(minted.contentHash),
          storageUri: minted.storageUri,
          txHash: minted.txHash,
          timestamp: instant(minted.timestamp),
        }
      }),
    list: ({ dollars: inUsd, ...terms }) =>
      withCoreFailures(() => {
        const dollars = inUsd && {
          price: `${inUsd.price}`,
          rentalPricePerDay: `${inUsd.rentalPricePerDay}`,
          forkPrice: `${inUsd.forkPrice}`,
        }
        return wallet.list({ ...terms, dollars }, optionsOf(terms))
      }),
    buy: ({ tokenId: id, ...terms }) =>
      withCoreFailures(() => wallet.buy(id, inWei(terms), optionsOf(terms))),
    rent: ({ tokenId: id, days: durationDays, ...terms }) =>
      withCoreFailures(async () => {
        const rented = await wallet.rent(id, { durationDays, ...inWei(terms) }, optionsOf(terms))
        return { txHash: rented.txHash, expiresAt: fromSeconds(Number(rented.expiresAt)) }
      }),
    fork: ({ tokenId: id, ...terms }) =>
      withCoreFailures(async () => {
        const child = await wallet.fork(id, inWei(terms), optionsOf(terms))
        return { txHash: child.txHash, tokenId: tokenId(child.tokenId) }
      }),
    royalty: ({ tokenId: id, amount, ...keyed }) =>
      withCoreFailures(() => wallet.royalty(id, { amount }, optionsOf(keyed))),
  }
}

/** Bounds the price in wei: without a bound a wallet also pays in dollars, which a service does not. */
const inWei = <T extends { readonly maxPrice?: Wei | undefined }>({ maxPrice, ...terms }: T) => ({
  ...terms,
  maxPrice: maxPrice ?? anyPrice,
})

/** More than any price, of 365 days too. */
const anyPrice = wei(2n ** 100n)

const optionsOf = ({ idempotency }: Keyed) => ({ idempotencyKey: idempotency?.key })

async function withCoreFailures<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!isHeirloomError(error) || !failureCodes.includes(error.code as FailureCode)) throw error
    throw new Failure(error.code as FailureCode, error.facts as never, { cause: error })
  }
}

/** Serves the chain of a harness as a node does, on a free loopback port. */
export function serveChain({ chain }: Pick<HttpHarness, 'chain'>) {
  if (chain instanceof URL) throw new Error('The chain is a node already.')
  const server = createServer(async (request, response) => {
    const { id, method, params } = (await json(request)) as Readonly<Record<string, never>>
    const answer = await chain.request({ method: method ?? '', params }).then(
      (result) => ({ result }),
      ({ code = -32000, message, data }) => ({ error: { code, message, data } }),
    )
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  return listenOnLoopback(server)
}
