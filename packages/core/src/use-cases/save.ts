import { documentOf, membersOf } from '../bundles/bundle.ts'
import { Failure, isFailure } from '../failure.ts'
import type { GrantId } from '../ports/grants.ts'
import type { HoldResult, NamedMint, Names, SavedVersion } from '../ports/names.ts'
import type { Ports } from '../ports/ports.ts'
import type { Account, TokenId } from '../values/branded.ts'
import { refuseNobody, sameAccount, storageUri } from '../values/hex.ts'
import { lineName, type OwnedName } from '../values/name.ts'
import { isDecided, mintBundle } from './mint-bundle.ts'
import { hasDocument } from './read-sealed.ts'
import { type snapshot, snapshotFailures } from './snapshot.ts'

/** The ports that save to a name. */
export type SavePorts = Pick<Ports, 'blobStore' | 'cipher' | 'ledger'> & { readonly names: Names }

/** The failures of `save`, besides those of any write. */
export const saveFailures = [
  ...snapshotFailures,
  'name/held',
  'name/moved',
  'name/unavailable',
] as const

/**
 * Snapshots a memory as the next version of a name: its parent is the last version. Holds the name
 * from before the mint until the mint is decided, so that of several saves after one version one
 * mints, and the others mint and pay nothing. Mints nothing for the bytes of the last version, whose
 * owner stays the same: that version is the answer.
 *
 * @throws `name/moved`, `name/held`, `name/unavailable`, and the failures of `snapshot`
 */
export async function save(ports: SavePorts, input: save.Input): Promise<save.Output> {
  const { owner, name, after, savedBy, grant, idempotency, recipient } = input
  refuseNobody(recipient ?? ports.ledger.agent)
  const request = { owner, name, after, savedBy, grant, idempotency }
  const held = await ports.names.hold(request)
  return outputOf(held.kind === 'saved' ? held : await saveHeld(ports, held, input))
}

export declare namespace save {
  type Input = snapshot.Input &
    OwnedName & {
      /** The version that the caller believes to be the last, 0 for none; not checked when absent. */
      readonly after?: TokenId | undefined
      /** The one who saves, as the owner of the name shall read it. */
      readonly savedBy: string
      /**
       * Requires the right to save, while the name is held: before anything is stored, and again right
       * before the mint. What it throws is the refusal, and mints nothing. Once more when the mint is
       * settled: after `access/denied` the token is no version, and the failure is `grant/ended`.
       */
      readonly requireRight?: (() => Promise<unknown>) | undefined
      /** The grant that the right is of, by which a mint in doubt is settled later. */
      readonly grant?: GrantId | undefined
    }
  type Output = snapshot.Output & {
    /** 1 for the first version. */
    readonly version: number
    /** Whether nothing was minted, because the last version has the same bytes. */
    readonly isUnchanged: boolean
  }
}

type Held = Extract<HoldResult, { kind: 'held' }>

type Saved = { readonly version: SavedVersion; readonly isUnchanged?: boolean }

async function saveHeld(ports: SavePorts, held: Held, input: save.Input): Promise<Saved> {
  const { names } = ports
  const release = () => names.release(held.id).catch(() => undefined)
  const saved = await mintChanged(ports, held, input).catch(async (error: unknown) => {
    if (isDecided(error)) await release()
    throw error
  })
  if (saved.minted !== undefined) {
    const { minted } = saved
    return { version: await moveByRight(names, held, { ...input, minted }) }
  }
  await release()
  return { version: saved.same, isUnchanged: true }
}

type Settled = save.Input & { readonly minted: NamedMint }

/** Moves a name to its minted version, where the right to save is still there. */
async function moveByRight(
  names: Names,
  { id }: Held,
  { minted, requireRight, ...of }: Settled,
): Promise<SavedVersion> {
  const hasRight = await Promise.resolve(requireRight?.()).then(
    () => true,
    (error: unknown) => {
      if (isFailure(error, 'access/denied')) return false
      throw error
    },
  )
  if (hasRight) return names.move(id, minted)
  const { tokenId } = minted
  await names.release(id, minted)
  // Another server may have settled it before the right ended.
  const version = await names.versionOf(of, tokenId)
  if (version !== undefined) return version
  throw new Failure('grant/ended', { tokenId })
}

/** Mints the next version, unless the last one is the same. */
async function mintChanged(ports: SavePorts, held: Held, given: save.Input) {
  await given.requireRight?.()
  // Parsed once, for the comparison and for the seal.
  const input = { ...given, bundle: membersOf(given.bundle) }
  const same = await findSame(ports, held.last, input)
  return same === undefined ? { minted: await mintVersion(ports, held, input) } : { same }
}

/**
 * Returns the last version if it has the bytes of a bundle and belongs to the account that it is for.
 * A card, a parent, a salt or an acceptance makes a version of its own, and so does a version that does not open here.
 */
async function findSame(
  { ledger, ...ports }: SavePorts,
  last: SavedVersion | undefined,
  { bundle, card, parent, salt, recipient = ledger.agent, isHandedOver, saving }: save.Input,
): Promise<SavedVersion | undefined> {
  if (last === undefined || (card ?? parent ?? salt) !== undefined) return undefined
  if (saving?.acceptsLine) return undefined
  const document = documentOf(bundle, { isHandedOver })
  if (document.length !== last.documentBytes) return undefined
  const access = await ledger.access(last.tokenId, recipient)
  if (access === undefined || !sameAccount(access.owner, recipient)) return undefined
  const context = { registry: ledger.registry, creator: last.creator }
  const isSame = await hasDocument(ports, { digest: last.digest, context, document })
  return isSame ? last : undefined
}

async function mintVersion(
  ports: SavePorts,
  { id, last }: Held,
  input: save.Input,
): Promise<NamedMint> {
  const { ledger, names } = ports
  const { owner, name, requireRight, parent, ...given } = input
  const { after: _after, savedBy: _savedBy, grant: _grant, ...bundle } = given
  return mintBundle(ports, {
    ...bundle,
    parent: parentOf(input, last),
    line: { name: lineName({ owner, name }), previous: last?.digest },
    hold: id,
    beforeMinting: async ({ contentHash, digest, documentBytes, storedBytes }) => {
      await requireRight?.()
      const { recipient = ledger.agent } = input
      const accounts: { readonly [role in 'creator' | 'recipient']: Account } = {
        creator: ledger.agent,
        recipient,
      }
      return names.note(id, { contentHash, digest, ...accounts, documentBytes, storedBytes })
    },
  })
}

/** Returns the parent of the next version: the last one, or for the first the given token. */
export function parentOf(
  { name, parent }: Pick<save.Input, 'name' | 'parent'>,
  last: SavedVersion | undefined,
): TokenId | undefined {
  if (last === undefined || parent === undefined) return last?.tokenId ?? parent
  if (parent === last.tokenId) return parent
  throw new Failure('name/moved', { name, tokenId: last.tokenId, version: last.version })
}

function outputOf({ version: saved, isUnchanged = false }: Saved): save.Output {
  const { tokenId, contentHash, digest, txHash, savedAt, version } = saved
  const place = { contentHash, storageUri: storageUri(digest) }
  return { tokenId, ...place, txHash: txHash ?? '0x', timestamp: savedAt, version, isUnchanged }
}
