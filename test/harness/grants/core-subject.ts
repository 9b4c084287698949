import { grantId } from '@heirloom/adapters/internal/acts'
import {
  account,
  type Challenge,
  challenge,
  depositGrant,
  endGrants,
  forgetGranted,
  type Grant,
  type GrantBounds,
  type GrantPair,
  type GrantParts,
  type Grants,
  grantedLine,
  grantedRight,
  type Hex,
  type Ledger,
  memoryService,
  type Names,
  type OwnedName,
  ownerCheck,
  readOpenings,
  readsByRight,
  renameGranted,
  revokeGrant,
  revokeGrants,
  withoutErased,
} from '@heirloom/core'
import {
  memoryBlobStore,
  memoryChain,
  memoryCipher,
  memoryErasures,
  memoryOpenings,
  stoppedClock,
  wallets,
} from '@heirloom/testkit'
import {
  depositText,
  revokeAllText,
  revokeText,
} from '../../../packages/http/src/api/signed-texts.ts'
import type { Outcome, Pair } from './model.ts'
import {
  logged,
  origin,
  ownedName,
  proofText,
  resultOf,
  type Subject,
  type Way,
} from './subject.ts'

export const bounds: GrantBounds = { ofOwner: 1000, ofClient: 10_000, inAll: 100_000 }
export const document = { data: { mood: 'calm' }, metadata: { category: 'research' } }

/** The stores of one server. */
type Replica = { readonly grants: Grants; readonly names: Names }

const outcomeOf = (act: Promise<unknown>): Promise<Outcome> => resultOf(act.then(() => 'done'))

const addressesOf = ({ reader, owner }: Pair): GrantPair => ({
  reader: reader.address,
  owner: owner.address,
})

const encode = (it: object) => new TextEncoder().encode(JSON.stringify(it))

/** Returns a ledger that runs an act once after a mint. */
export const mintsThen = (ledger: Ledger, afterMint: Subject['afterMint']): Ledger => ({
  ...ledger,
  mint: async (input) => {
    const minted = await ledger.mint(input)
    const { act } = afterMint
    delete afterMint.act
    await act?.()
    return minted
  },
})

/** Loses the versions of a name, and adds them again as `names recover` does. */
export async function recoverName(
  parts: Pick<GrantParts, 'grants' | 'clock'> & { readonly names: Names },
  of: OwnedName,
): Promise<number> {
  const { names } = parts
  const { items } = await names.versions(of, { limit: 1000 })
  await names.forget(of)
  const ended = await endGrants(parts, of)
  for (const { tokenId, txHash, savedAt, savedBy, version: _, ...sealed } of items.toReversed()) {
    const held = await names.hold({ ...of, savedBy })
    if (held.kind !== 'held') throw new Error('It was saved before.')
    await names.note(held.id, sealed)
    await names.move(held.id, { tokenId, txHash, acceptedAt: savedAt })
  }
  return ended
}

/** Plays with the use cases and the stores that `open` returns, each for one part of the requests. */
export const coreSubject =
  (open: (clock: ReturnType<typeof stoppedClock>) => Promise<readonly Replica[]>) =>
  async (): Promise<Subject> => {
    const clock = stoppedClock()
    const chain = memoryChain({ clock })
    const afterMint: Subject['afterMint'] = {}
    const ledger = mintsThen(chain.ledger(account(wallets[0]?.address as Hex)), afterMint)
    const erasures = memoryErasures()
    const blobStore = withoutErased(memoryBlobStore(), erasures)
    const openings = memoryOpenings()
    const { chainId, address } = ledger.registry
    const place = { chainId, registry: address }
    const idOf = (grant: Grant) => grantId(grant, ledger.registry)
    const { find: erasedAt } = erasures
    const cipher = memoryCipher()
    const replicas = (await open(clock)).map(({ grants, names }) => {
      const service = memoryService({ blobStore, cipher, clock, ledger, openings, names })
      const parts = { clock, ledger, grants, names, idOf, bounds, erasedAt }
      return { service, parts, isOwners: ownerCheck(parts) }
    })
    let turn = 0
    /** Returns the next replica: each answers what another one was sent. */
    const next = () => replicas[turn++ % replicas.length] as (typeof replicas)[number]
    return {
      chain,
      clock,
      place,
      afterMint,
      erase: async (of) => {
        const digest = chain.provenance(of)?.digest
        if (digest !== undefined) await erasures.add([digest], clock.now())
      },
      mint: async () => (await next().service.snapshot({ bundle: encode(document) })).tokenId,
      save: ({ by, recipient, grant, document: saved, ...named }) => {
        const { service, parts, isOwners } = next()
        const of = { id: grant ?? '0x', origin, account: by.address, isToSave: true }
        const right = grant && (() => grantedLine({ ...parts, isOwners }, of))
        const input = {
          ...ownedName(named),
          bundle: encode(saved),
          recipient: recipient.address,
          savedBy: by.address,
          grant,
          requireRight: right,
        }
        const save = async () => {
          const line = right === undefined ? {} : (await right()).line
          return (await service.save({ ...input, ...line })).tokenId
        }
        return resultOf(save())
      },
      rename: (named, to) => resultOf(renameGranted(next().parts, ownedName(named), to)),
      forget: (named) => resultOf(forgetGranted(next().parts, ownedName(named))),
      recover: (named) => recoverName(next().parts, ownedName(named)),
      log: (by, named, grant) => {
        const { parts, isOwners } = next()
        const of = { id: grant ?? '0x', origin, account: by.address }
        const read = async () => {
          const granted = grant && (await grantedLine({ ...parts, isOwners }, of)).line
          const { items } = await parts.names.versions(granted ?? ownedName(named), { limit: 1000 })
          return logged(items)
        }
        return resultOf(read())
      },
      deposit: ({ grant, signature, at, proof }) => {
        const { parts } = next()
        const claim = { grant: idOf(grant), owner: grant.owner, label: '', timestamp: at }
        const message = depositText({ origin, chainId: place.chainId }, claim)
        const brought = { message, signature: proof, client: 'client', timestamp: at }
        const input = { grant, signature, label: '', origin, proof: brought }
        return outcomeOf(depositGrant(parts, input))
      },
      revoke: ({ id, grant }, { address: owner }, signature, hasText) => {
        const message = revokeText(place, { owner, grant: id })
        const text = hasText ? grant : undefined
        const input = { id, owner, grant: text, message, signature, client: 'client' }
        return outcomeOf(revokeGrant(next().parts, input))
      },
      revokeAll: ({ address: owner }, timestamp, signature) => {
        const message = revokeAllText(place, { owner, timestamp })
        const input = { owner, timestamp, message, signature, client: 'client' }
        return outcomeOf(revokeGrants(next().parts, input))
      },
      accept: async (pair) => {
        const isLive = await next().parts.grants.accept(addressesOf(pair), clock.now())
        return isLive ? 'done' : 'grant/not-found'
      },
      ignore: (pair) => outcomeOf(next().parts.grants.ignore(addressesOf(pair))),
      received: async ({ address }) => {
        const { grants } = next().parts
        const { items } = await grants.received(address, { limit: 1000, now: clock.now() })
        return items.map(({ id }) => id)
      },
      open: ({ by, of, at, grant, way }, signature) => {
        const { parts, isOwners, service } = next()
        const proof = { account: by.address, timestamp: at, signature }
        const text = () => proofText(place, { by, of, at, grant })
        const challenges = grant === undefined ? [challenge] : [text]
        const right = grant && grantedRight({ ...parts, isOwners }, { id: grant, origin })
        const reads = right ? readsByRight(service, right) : service
        return resultOf(lengthOf(reads, { tokenId: of, proof, challenges }, way))
      },
      openings: async ({ address: by }, of, at, signature) => {
        const proof = { account: by, timestamp: at, signature }
        const signed = { proof, challenges: [challenge] }
        const input = { tokenId: of, account: by, signed, limit: 1000 }
        const read = async () => {
          const { items } = await readOpenings({ clock, ledger, openings }, input)
          return items.reduce((sum, it) => sum + it.count, 0)
        }
        return resultOf(read())
      },
      close: async () => undefined,
    }
  }

type Reads = Parameters<typeof readsByRight>[0]

type Proven = Pick<Parameters<Reads['download']>[0], 'tokenId' | 'proof'> & {
  readonly challenges: readonly Challenge[]
}

async function lengthOf(reads: Reads, input: Proven, way: Way) {
  if (way === 'whole') return (await reads.download(input)).document.length
  if (way === 'part') return (await reads.part({ ...input, pointer: '/data/mood' })).text.length
  if (way === 'search') {
    const found = await reads.searchIn({ ...input, text: 'calm', limit: 1, mostBytes: 10_000 })
    return found.matches.length
  }
  const { outline } = await reads.outline({ ...input, pointer: '', depth: 1, width: 9, from: 0 })
  return JSON.stringify(outline).length
}
