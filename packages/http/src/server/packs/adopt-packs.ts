import type { PackNotes } from '@heirloom/adapters/internal/pack-notes'
import {
  type Cipher,
  type Digest,
  isFailure,
  type Registry,
  type Seal,
  sameContext,
} from '@heirloom/core'

type Parts = {
  readonly notes: Pick<PackNotes, 'hasRoot' | 'noteRoot' | 'lease'>
  readonly inspect: Cipher['inspect']
  readonly registry: Registry
}

/**
 * Notes the packs of a stored root that has no note. Otherwise they would stay for ever once it is
 * removed: only its head names them.
 */
export async function adoptPacks(
  { notes, inspect, registry }: Parts,
  root: Digest,
  head: Uint8Array,
): Promise<void> {
  const seal = sealOf(inspect, head)
  if (seal === undefined || seal.packs.length === 0 || (await notes.hasRoot(root))) return
  const { packs, context, isAuthentic } = seal
  const { creator } = context
  // Packs that are noted as those of another creator would be removed with no regard to their tokens.
  if (!isAuthentic || !sameContext(context, { registry, creator })) return
  await notes.noteRoot(root, { packs, creator })
  await notes.lease(packs, creator)
}

/** Returns what a head says; `undefined` for other bytes. */
function sealOf(inspect: Cipher['inspect'], head: Uint8Array): Seal | undefined {
  try {
    return inspect(head)
  } catch (error) {
    if (isFailure(error, 'bundle/unreadable')) return undefined
    throw error
  }
}
