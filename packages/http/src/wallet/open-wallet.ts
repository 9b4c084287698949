import {
  callNode,
  creditOf,
  decodeReceipt,
  readHeirPlan,
  reads,
} from '@heirloom/adapters/internal/acts'
import {
  account,
  Failure,
  type Hex,
  instant,
  later,
  requireFound,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { encodeHeir } from '../api/encode-heir.ts'
import { encodeListing } from '../api/encode-listing.ts'
import type { ClientOptions } from '../client/client.ts'
import { createReads, type Reads } from '../client/reads.ts'
import { encodeTokenId } from '../client/transport/encode-values.ts'
import { systemTimers } from '../client/transport/timers.ts'
import { createTransport } from '../client/transport/transport.ts'
import { isProvider, type WalletAccount } from './account.ts'
import type { Actor } from './actor.ts'
import { heirActs } from './heir-acts.ts'
import { holderActs } from './holder-acts.ts'
import { localSender } from './local-sender.ts'
import { marketActs } from './market-acts.ts'
import { createOnce } from './once.ts'
import { openChain } from './open-chain.ts'
import { confirm, type Performer, perform } from './perform.ts'
import { providerSender } from './provider-sender.ts'
import { quotingActor } from './quote-act.ts'
import { sealMemory } from './seal-memory.ts'
import { serialQueue } from './serial-queue.ts'
import { snapshotAct } from './snapshot-act.ts'
import { createSpendCount, type SpendLimits } from './spend-limits.ts'
import { translateFailures } from './translate-failures.ts'
import type { ActName, Acts, Confirmed, Wallet } from './wallet.ts'

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
  /** The most that the wallet may spend; no limit when absent. */
  readonly limits?: SpendLimits | undefined
  /** The longest wait for a block, in milliseconds; two minutes when absent. */
  readonly timeout?: number | undefined
}

/**
 * Opens the wallet of an account on the contracts that a server names, after they were checked on the
 * chain. Its acts are signed and paid by the account; the server only seals and stores memories.
 *
 * @throws `client/no-node`, `client/wrong-chain`, `client/foreign-contracts`, `client/declined`,
 * `client/unreachable`, `ledger/unavailable`
 */
export const openWallet = (options: WalletOptions): Promise<Wallet> =>
  translateFailures(async () => {
    const transport = createTransport(options)
    const server = createReads(transport)
    const url = new URL(options.url)
    const deployment = await server.deployment()
    const { account: of, registry, timeout, rpcUrl } = options
    const ownNode = isProvider(of) ? of : undefined
    const node = rpcUrl === undefined ? ownNode : new URL(rpcUrl)
    const chain = await openChain({ deployment, url, node, registry })
    const sender = isProvider(of)
      ? await providerSender(of, chain, timeout)
      : localSender(of, chain, timeout)
    const { now } = options.timers ?? systemTimers
    const spending = createSpendCount(options.limits ?? {}, now)
    const performer = { chain, sender, spending }
    const seal: Actor['seal'] = (request, more) =>
      sealMemory({ transport, url, chain, account: sender, now }, request, more)
    const actor = createActor(performer, { seal, now, refuseCopy: copyCheck(server) })
    return createWallet(performer, actor)
  })

function createActor(
  performer: Performer,
  parts: Pick<Actor, 'seal' | 'now' | 'refuseCopy'>,
): Actor {
  const { chain, sender } = performer
  const agent = account(sender.address)
  // One act at a time: each takes the next nonce of the account.
  const enqueue = serialQueue()
  const once = createOnce((act, sent) =>
    enqueue(async () => (await confirm(performer, { act, sent })).performed()),
  )
  return {
    agent,
    reads: reads(chain.client, chain.pair),
    recall: once.recall,
    perform: (act, idempotency, { signal, onSent }) =>
      once.run(act, idempotency, (report) =>
        enqueue(() =>
          perform(performer, act, {
            signal,
            onSent: (sent) => {
              report(sent)
              onSent?.(sent.txHash)
            },
          }),
        ),
      ),
    readCredit: () => creditOf(chain.client, chain.pair, agent),
    ...parts,
  }
}

function createWallet(performer: Performer, actor: Actor): Wallet {
  const { chain, sender, spending } = performer
  const { client, chainId, pair: contracts } = chain
  const { address } = sender
  return {
    ...translated(actsOf(actor)),
    ...{ address, chainId, contracts },
    quote: (name, ...input) =>
      translateFailures(async () => {
        const { actor: quoting, quote } = quotingActor(actor, performer)
        const act = actsOf(quoting)[name] as (...input: readonly unknown[]) => Promise<unknown>
        await act(...input)
        return quote()
      }),
    confirm: (txHash) => translateFailures(() => confirmHash(performer, txHash)),
    listing: (id) =>
      translateFailures(async () => {
        const of = tokenId(encodeTokenId(id))
        return encodeListing(requireFound(of, await actor.reads.listing(of)))
      }),
    heir: (of = address) =>
      translateFailures(async () => {
        const named = readAddress(of)
        const { plan, asOf } = await readHeirPlan(client, contracts, named)
        return encodeHeir(named, plan, later(asOf, instant(actor.now())))
      }),
    balance: () =>
      translateFailures(async () => {
        const [balance, credit] = await Promise.all([
          callNode('eth_getBalance', () => client.getBalance({ address })),
          actor.readCredit(),
        ])
        return { balance: `${balance}`, credit: `${credit}`, ...spending.state() }
      }),
  }
}

const actsOf = (actor: Actor): Acts => ({
  ...snapshotAct(actor),
  ...marketActs(actor),
  ...holderActs(actor),
  ...heirActs(actor),
})

type AnyAct = (...input: readonly unknown[]) => Promise<unknown>

/** Returns the same acts, which throw errors of the client. */
function translated(acts: Acts): Acts {
  const wrapped = Object.entries(acts).map(([name, act]) => [
    name,
    (...input: readonly unknown[]) => translateFailures(() => (act as AnyAct)(...input)),
  ])
  return Object.fromEntries(wrapped) as Readonly<Record<ActName, AnyAct>> as unknown as Acts
}

async function confirmHash({ chain, sender }: Performer, txHash: Hex): Promise<Confirmed> {
  const receipt = await sender.waitForReceipt({ txHash })
  const { transactionHash } = receipt
  if (receipt.status === 'reverted') {
    throw new Failure('transaction/reverted', { txHash: transactionHash })
  }
  const { tokenIds, expiresAt, takeoverAt } = decodeReceipt(chain.pair, receipt)
  const [id] = tokenIds
  return {
    txHash: transactionHash,
    ...(id !== undefined && { tokenId: `${id}` }),
    ...(expiresAt !== undefined && { expiresAt: `${expiresAt}` }),
    ...(takeoverAt !== undefined && { takeoverAt: `${takeoverAt}` }),
  }
}

/** Returns the check that a token shows no copy, as far as the server knows. */
const copyCheck =
  ({ lineage }: Reads) =>
  async (id: TokenId): Promise<void> => {
    // The check protects the buyer; a catalogue that is behind or down does not stop the act.
    const found = await lineage(id).catch(() => undefined)
    if (found?.token.originality === 'copied') throw new Failure('listing/copied', { tokenId: id })
  }
