import { type ActResult, callNode, readHeirPlan } from '@heirloom/adapters/internal/acts'
import {
  confirmSent,
  type Performer,
  quotingActor,
  type SentActs,
} from '@heirloom/adapters/internal/wallet'
import {
  type Account,
  account,
  Failure,
  type Hex,
  instant,
  later,
  nobody,
  requireFound,
  sameAccount,
  tokenId,
} from '@heirloom/core'
import { readAddress } from '../api/address.ts'
import { encodeHeir, encodeListing } from '../api/encode-records.ts'
import { type Guards, guarded, writeOptions } from '../client/transport/known-members.ts'
import { encodeTokenId } from '../client/transport/request-line.ts'
import { listMembers, snapshotMembers } from '../client/writes.ts'
import { type Actor, idempotencyOf } from './actor.ts'
import { heirActs } from './heir-acts.ts'
import { marketActs } from './market-acts.ts'
import { unsealedMint } from './seal-memory.ts'
import { snapshotAct } from './snapshot-act.ts'
import { translateFailures } from './translate-failures.ts'
import type { Acts, Confirmed, OwnNames, Wallet, WalletBalance } from './wallet.ts'

/** Creates the wallet of an actor. */
export function createWallet(
  performer: Performer,
  { actor, sentActs, names, grant }: createWallet.Parts,
): Wallet {
  const { chain, sender } = performer
  const { chainId, pair } = chain
  const { registry, marketplace } = pair
  return {
    ...translated(actsOf(actor)),
    ...translated(guarded(names, nameGuards)),
    grant: (...all) => translateFailures(() => grant(...all)),
    address: sender.address,
    chainId,
    contracts: { registry, marketplace },
    quote: (name, ...input) =>
      translateFailures(async () => {
        const { actor: quoting, quote } = quotingActor(actor, performer)
        // Nothing is sealed for a quote either.
        const seal: Actor['seal'] = async (request) => unsealedMint(request)
        const act = actsOf({ ...actor, ...quoting, seal })[name] as (
          ...input: readonly unknown[]
        ) => Promise<unknown>
        await act(...input)
        return quote()
      }),
    confirm: (sent) =>
      translateFailures(async () => encodeEffects(await confirmSent(performer, sentActs, sent))),
    listing: (id) =>
      translateFailures(async () => {
        const of = tokenId(encodeTokenId(id))
        return encodeListing(requireFound(of, await actor.reads.listing(of)))
      }),
    heir: (of = sender.address) =>
      translateFailures(async () => {
        const named = readAddress(of)
        const { plan, asOf } = await readHeirPlan(chain.client, pair, named)
        return encodeHeir(named, plan, later(asOf, instant(actor.now())))
      }),
    balance: () => translateFailures(() => readBalance(performer, actor)),
  }
}

export declare namespace createWallet {
  type Parts = {
    readonly actor: Actor
    readonly sentActs: SentActs
    readonly names: OwnNames
    readonly grant: Wallet['grant']
  }
}

const actsOf = (actor: Actor): Acts => {
  const acts = {
    ...snapshotAct(actor),
    ...marketActs(actor),
    ...holderActs(actor),
    ...heirActs(actor),
  }
  return guarded<Acts>(acts, guards)
}

const nameGuards: Guards<OwnNames> = {
  names: [],
  findName: [],
  versions: [],
  renameName: [],
  forgetName: [null, { signal: 1, after: 1 }],
}

const options = { ...writeOptions, onSent: 1 } as const
const acquireMembers = { recipient: 1, maxPrice: 1, maxDollars: 1 } as const

const guards: Guards<Acts> = {
  snapshot: [{ ...snapshotMembers, name: 1, after: 1 }, options],
  list: [listMembers, options],
  buy: [null, acquireMembers, options],
  rent: [null, { ...acquireMembers, durationDays: 1 }, options],
  fork: [null, { ...acquireMembers, maxRoyaltyBps: 1 }, options],
  royalty: [null, { amount: 1, dollars: 1 }, options],
  withdraw: [{ to: 1, currency: 1 }, options],
  transfer: [null, { to: 1 }, options],
  nameHeir: [{ heir: 1, silenceDays: 1, noticeDays: 1 }, options],
  clearHeir: [options],
  heartbeat: [options],
  announceTakeover: [null, options],
  takeOver: [null, { tokenIds: 1 }, options],
  takeOverCredit: [null, options],
}

type AnyCall = (...input: readonly unknown[]) => Promise<unknown>

/** Returns the same calls, which throw errors of the client. */
function translated<Calls extends object>(calls: Calls): Calls {
  const wrapped = Object.entries(calls).map(([name, call]) => [
    name,
    (...input: readonly unknown[]) => translateFailures(() => (call as AnyCall)(...input)),
  ])
  return Object.fromEntries(wrapped) as Calls
}

async function readBalance(
  { chain: { client }, sender: { address }, spending }: Performer,
  actor: Actor,
): Promise<WalletBalance> {
  const [balance, credit, dollars] = await Promise.all([
    callNode('eth_getBalance', () => client.getBalance({ address })),
    actor.readCredit(),
    actor.readDollars(),
  ])
  const native = { balance: `${balance}`, credit: `${credit}`, ...spending.native.state() }
  if (dollars === undefined) return native
  const { asset, ...held } = dollars
  const state = spending.dollar.state()
  const inDollars = { asset, balance: `${held.balance}`, credit: `${held.credit}`, ...state }
  return { ...native, dollars: inDollars }
}

type Effects = ActResult & { readonly txHash: Hex }

function encodeEffects({ txHash, tokenIds, expiresAt, takeoverAt }: Effects): Confirmed {
  const [id] = tokenIds
  return {
    txHash,
    ...(id !== undefined && { tokenId: `${id}` }),
    ...(expiresAt !== undefined && { expiresAt: `${expiresAt}` }),
    ...(takeoverAt !== undefined && { takeoverAt: `${takeoverAt}` }),
  }
}

/**
 * Returns the acts that only the holder of a token or of credit can do. The contracts decide on them,
 * in the simulation before anything is signed.
 */
const holderActs = (actor: Actor): Pick<Acts, 'withdraw' | 'transfer'> => ({
  withdraw: async ({ to: given, currency = 'native' } = {}, options = {}) => {
    const to = readReceiver(given ?? actor.agent)
    const idempotency = idempotencyOf(options, 'withdraw', [to, currency])
    const asset = currency === 'dollar' ? await requireAsset(actor) : undefined
    const kind = asset === undefined ? 'withdraw' : 'withdrawDollars'
    const { txHash, withdrawn = 0n } = await actor.perform({ kind, to }, idempotency, options)
    if (asset === undefined) return { txHash, amount: `${withdrawn}` }
    return { txHash, amount: '0', dollars: { asset, amount: `${withdrawn}` } }
  },
  transfer: async (id, { to }, options = {}) => {
    const of = tokenId(encodeTokenId(id))
    const idempotency = idempotencyOf(options, 'transfer', [of, to])
    const act = { kind: 'transfer', tokenId: of, from: actor.agent, to: account(to) } as const
    return { txHash: (await actor.perform(act, idempotency, options)).txHash }
  },
})

async function requireAsset({ readDollars }: Actor): Promise<Hex> {
  const holding = await readDollars()
  if (holding === undefined) throw new Failure('dollar/missing', {})
  return holding.asset
}

// The marketplace pays any address, and what the zero address gets is lost.
function readReceiver(to: string): Account {
  const recipient = account(to)
  if (sameAccount(recipient, nobody)) throw new Failure('recipient/invalid', { recipient })
  return recipient
}
