import type { MasterKey, MasterKeys } from './local-master-key.ts'

/** The length of a sealing key, and of the key of a wallet, in bytes. */
export const keyLength = 32

/** The reason why a record cannot be opened. */
export type RecordProblem = 'no-master' | 'altered'

/** Wraps a key ‖ its encoded facts under a master key, and returns them in base64. */
export async function wrapWith(
  master: MasterKey,
  { key, facts }: { readonly key: Uint8Array; readonly facts: Buffer },
): Promise<string> {
  const plain = Buffer.concat([key, facts])
  const wrapped = Buffer.from(await master.wrap(plain)).toString('base64')
  plain.fill(0)
  return wrapped
}

/** A wrapped key, the facts that stand beside it, and the id of the master key that they name. */
export type WrappedKey = {
  readonly wrapped: string
  readonly facts: Buffer
  readonly master: string
}

/** Opens a wrapped key with the first master key that fits, if the same facts were wrapped with it. */
export async function openWrapped(
  { wrapped, facts, master }: WrappedKey,
  masters: MasterKeys,
): Promise<Uint8Array | RecordProblem> {
  const plain = await unwrapWithAny(Buffer.from(wrapped, 'base64'), masters)
  if (plain === undefined) {
    return masters.some(({ id }) => id === master) ? 'altered' : 'no-master'
  }
  const key = Uint8Array.from(plain.subarray(0, keyLength))
  const isSame = facts.equals(plain.subarray(keyLength))
  plain.fill(0)
  return isSame ? key : 'altered'
}

async function unwrapWithAny(
  wrapped: Uint8Array,
  masters: MasterKeys,
): Promise<Buffer | undefined> {
  for (const master of masters) {
    const plain = await master.unwrap(wrapped)
    if (plain !== undefined) return Buffer.from(plain.buffer, plain.byteOffset, plain.length)
  }
  return undefined
}
