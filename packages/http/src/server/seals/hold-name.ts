import type { SqlNames } from '@heirloom/adapters/internal/names'
import { Failure, lineName, parentOf, type SaveRequest, type seal } from '@heirloom/core'

/** The names that seals are saved to. */
export type SealNames = Pick<SqlNames, 'holdForSeal' | 'note' | 'release'>

/** A name that is held for a seal, until its creator mints it. */
export type HeldName = {
  /** A seal as the next version of the name. */
  readonly next: Pick<seal.Input, 'parent' | 'line'>
  /** Notes what the creator will mint. */
  readonly note: SealNames['note'] extends (id: never, sealed: infer Sealed) => infer Result
    ? (sealed: Sealed) => Result
    : never
  /** Ends the hold: nothing was sealed. */
  readonly release: () => Promise<void>
}

type Save = Pick<seal.Input, 'parent'> & { readonly save?: SaveRequest | undefined }

/**
 * Holds the name that a seal is saved to; `undefined` for one that is saved to none.
 *
 * @throws `name/moved`, `name/held`, `name/unavailable`
 */
export async function holdName(
  names: SealNames | undefined,
  { save, parent }: Save,
  seal: string,
): Promise<HeldName | undefined> {
  if (save === undefined) return undefined
  if (names === undefined) throw new Failure('name/unavailable', { operation: 'hold' })
  const held = await names.holdForSeal(save, seal)
  if (held.kind === 'saved') throw new Error('A seal has no key at its name.')
  const { id, last } = held
  const release = () => names.release(id).catch(() => undefined)
  try {
    const line = { name: lineName(save), previous: last?.digest }
    const next = { parent: parentOf({ ...save, parent }, last), line }
    return { next, note: (sealed) => names.note(id, sealed), release }
  } catch (error) {
    await release()
    throw error
  }
}
