import { Failure } from '../failure.ts'
import type { HoldResult, NamedMint, Names, SavedVersion } from '../ports/names.ts'
import type { Ports } from '../ports/ports.ts'
import type { Account, TokenId } from '../values/branded.ts'
import { refuseNobody, storageUri } from '../values/hex.ts'
import { lineName, type OwnedName } from '../values/name.ts'
import { isDecided, mintBundle } from './mint-bundle.ts'
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
 * mints, and the others mint and pay nothing.
 *
 * @throws `name/moved`, `name/held`, `name/unavailable`, and the failures of `snapshot`
 */
export async function save(ports: SavePorts, input: save.Input): Promise<save.Output> {
  const { owner, name, after, savedBy, idempotency, recipient } = input
  refuseNobody(recipient ?? ports.ledger.agent)
  const request = { owner, name, after, savedBy, idempotency }
  const held = await ports.names.hold(request)
  const version = held.kind === 'saved' ? held.version : await saveHeld(ports, held, input)
  return outputOf(version)
}

export declare namespace save {
  type Input = snapshot.Input &
    OwnedName & {
      /** The version that the caller believes to be the last, 0 for none; not checked when absent. */
      readonly after?: TokenId | undefined
      /** The one who saves, as the owner of the name shall read it. */
      readonly savedBy: string
    }
  type Output = snapshot.Output & {
    /** 1 for the first version. */
    readonly version: number
  }
}

type Held = Extract<HoldResult, { kind: 'held' }>

async function saveHeld(ports: SavePorts, held: Held, input: save.Input): Promise<SavedVersion> {
  const { names } = ports
  const minted = await mintVersion(ports, held, input).catch(async (error: unknown) => {
    if (isDecided(error)) await names.release(held.id).catch(() => undefined)
    throw error
  })
  return names.move(held.id, minted)
}

async function mintVersion(
  ports: SavePorts,
  { id, last }: Held,
  input: save.Input,
): Promise<NamedMint> {
  const { ledger, names } = ports
  const { owner, name, after: _after, savedBy: _savedBy, parent, ...bundle } = input
  return mintBundle(ports, {
    ...bundle,
    parent: parentOf(input, last),
    line: { name: lineName({ owner, name }), previous: last?.digest },
    hold: id,
    beforeMinting: ({ contentHash, digest, documentBytes, storedBytes }) => {
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

function outputOf({ tokenId, contentHash, digest, txHash, savedAt, version }: SavedVersion) {
  const place = { contentHash, storageUri: storageUri(digest) }
  return { tokenId, ...place, txHash: txHash ?? '0x', timestamp: savedAt, version } as const
}
