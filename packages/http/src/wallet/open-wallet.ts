import {
  createActor,
  createOpenOrders,
  createSpendCount,
  isProvider,
  localSender,
  memoryStore,
  openChain,
  ownSender,
  type Performer,
  providerSender,
  relaySender,
  type Sender,
  type SpendLimits,
  type WalletAccount,
  type WalletChain,
  type WalletName,
  type WalletStore,
} from '@heirloom/adapters/internal/wallet'
import { digest, Failure, fromSeconds, type Hex, type TokenId } from '@heirloom/core'
import { callHeaders } from '../client/access-proof.ts'
import type { ClientOptions } from '../client/client.ts'
import { createNameCalls } from '../client/name-calls.ts'
import { createReads, type Reads } from '../client/reads.ts'
import type { Lineage } from '../client/responses.ts'
import { type Known, refuseUnknown } from '../client/transport/known-members.ts'
import { systemTimers } from '../client/transport/retries.ts'
import { createTransport, type Transport } from '../client/transport/transport.ts'
import type { Actor } from './actor.ts'
import { createWallet } from './create-wallet.ts'
import { grantMemory, withToken } from './grant-memory.ts'
import { createPost } from './post-act.ts'
import { sealMemory } from './seal-memory.ts'
import { translateFailures } from './translate-failures.ts'
import type { OwnNames, Wallet } from './wallet.ts'

/** The options of a wallet. */
export type WalletOptions = Pick<
  ClientOptions,
  'url' | 'apiKey' | 'fetch' | 'retries' | 'timers'
> & {
  /** The account that acts: a viem `LocalAccount`, or a wallet of a browser (EIP-1193). */
  readonly account: WalletAccount
  /**
   * A node of the chain (JSON-RPC). When absent, the wallet of a browser is the node; else the server
   * is, if it has an embedded chain.
   */
  readonly rpcUrl?: string | URL | undefined
  /** The address of the registry, from a source other than the server; required to be this one. */
  readonly registry?: Hex | undefined
  /**
   * Lets the server send what the account signs, for the server's gas, so that the account needs no
   * native money. It then pays in dollars alone.
   */
  readonly relay?: boolean | undefined
  /** The most that the wallet may spend; no limit when absent. */
  readonly limits?: SpendLimits | undefined
  /**
   * Opens where the wallet counts what it spends, and keeps the orders it signed and its acts with
   * idempotency keys; in memory when absent.
   */
  readonly store?: ((wallet: WalletName) => WalletStore) | undefined
  /** The longest wait for a block, in milliseconds; two minutes when absent. */
  readonly timeout?: number | undefined
}

/**
 * Opens the wallet of an account on the contracts that a server names, after they were checked on the
 * chain. Its acts are signed and paid by the account; the server only seals and stores memories, and
 * with `relay` sends what the account signed.
 *
 * @throws `client/no-node`, `client/wrong-chain`, `client/foreign-contracts`, `client/declined`,
 * `client/unreachable`, `ledger/unavailable`
 */
export const openWallet = (options: WalletOptions): Promise<Wallet> =>
  translateFailures(async () => {
    refuseUnknown<WalletOptions>('openWallet', options, knownOptions)
    const transport = createTransport(options)
    const server = createReads(transport)
    const url = new URL(options.url)
    const deployment = await server.deployment()
    const { account: of, registry, rpcUrl } = options
    const ownNode = isProvider(of) ? of : undefined
    const node = rpcUrl === undefined ? ownNode : new URL(rpcUrl)
    const chain = await openChain({ deployment, url, node, registry })
    const { now } = options.timers ?? systemTimers
    const sender = await openSender(options, { chain, transport, now })
    const { chainId, pair } = chain
    const name = { chainId, address: sender.address, marketplace: pair.marketplace }
    const store = options.store?.(name) ?? memoryStore()
    const spending = spendingOf(options.limits ?? {}, { now, store: store.spending })
    const performer: Performer = { chain, sender, spending, orders: createOpenOrders(store), now }
    const place = { transport, url, chain, account: sender, now }
    const seal: Actor['seal'] = (request, more) => sealMemory(place, request, more)
    const { actor: ledgerActor, sentActs } = createActor(performer, { store, now })
    const actor = { ...ledgerActor, seal, refuseCopied: copyCheck(server) }
    const names = ownNames(place)
    const grant: Wallet['grant'] = async (input, options) =>
      grantMemory(place, await withToken(names, input), options)
    return createWallet(performer, { actor, sentActs, names, grant })
  })

const limitMembers = { perCall: 1, perDay: 1 } as const

const knownOptions: Known<WalletOptions> = {
  url: 1,
  apiKey: 1,
  fetch: 1,
  retries: 1,
  timers: 1,
  account: 1,
  rpcUrl: 1,
  registry: 1,
  relay: 1,
  limits: { ...limitMembers, fee: 1, dollars: limitMembers },
  store: 1,
  timeout: 1,
}

type Connection = {
  readonly chain: WalletChain
  readonly transport: Transport
  readonly now: () => number
}

async function openSender(
  { account: of, timeout, relay, limits }: WalletOptions,
  { chain, transport, now }: Connection,
): Promise<Sender> {
  const feeLimit = limits?.fee
  const sender = isProvider(of)
    ? await providerSender(of, chain, timeout)
    : localSender(of, chain, { timeout, feeLimit })
  if (!relay) return ownSender(sender, chain, feeLimit)
  return relaySender(sender, { chain, post: createPost(transport, timeout), now, timeout })
}

const spendingOf = (
  { dollars = {}, fee: _, ...native }: SpendLimits,
  counting: Pick<createSpendCount.Parts, 'now' | 'store'>,
): Performer['spending'] => ({
  native: createSpendCount({ limits: native, currency: 'native', ...counting }),
  dollar: createSpendCount({ limits: dollars, currency: 'dollar', ...counting }),
})

const erased = ({ erasedAt, storageUri }: Lineage['token']): Failure =>
  new Failure('memory/erased', {
    digest: digest(storageUri.replace('v2:ipfs://', '')),
    erasedAt: fromSeconds(Number(erasedAt)),
  })

/** Returns the check that a token shows no copy and no erased memory, as far as the server knows. */
const copyCheck =
  ({ lineage }: Reads) =>
  async (id: TokenId): Promise<void> => {
    // The check protects the buyer; a catalogue that is behind or down does not stop the act.
    const found = await lineage(id).catch(() => undefined)
    if (found?.token.erasedAt) throw erased(found.token)
    if (found?.token.originality === 'copied') throw new Failure('listing/copied', { tokenId: id })
  }

/** Returns the calls for the names of an account, which signs each request for this server and path. */
const ownNames = ({ transport, url, chain, account, now }: sealMemory.Parts): OwnNames =>
  createNameCalls(async (call) => {
    const { chainId, pair } = chain
    const context = { place: { host: url.host, chainId, registry: pair.registry }, now: now() }
    const headers = await callHeaders(account, context, call)
    return transport.send({ ...call, headers: () => headers })
  })
