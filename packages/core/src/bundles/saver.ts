/** The kinds of those who save memories; the place of a kind is its number in sealed heads, less one. */
export const saverKinds = ['account', 'key', 'tenant', 'operator'] as const

/** The one who has a memory saved, as the server has verified it. */
export type Saver = {
  readonly kind: (typeof saverKinds)[number]
  /** The address of an account in lower case, the name of an API key or a tenant; empty for the operator. */
  readonly name: string
}

/** The one who saved a memory, as it is sealed into its head. */
export type SealedSaver = Saver & {
  /**
   * Whether the version before it, its parent, was the saver's own, or was accepted by the saver;
   * true without a parent.
   */
  readonly hasOwnLine: boolean
}

/** The reader of a memory, as all that stands for it in records. */
export type Identity = {
  /** The savers that the reader is. */
  readonly savers: readonly Saver[]
  /** The creators whose memories are the reader's where no saver is sealed into them. */
  readonly creators: readonly string[]
}

/** The one who saves a memory: the first of the savers that it is. */
export type Saving = {
  readonly identity: Identity
  /** Whether the saver has read the version before it, and accepts it and its line as its own. */
  readonly acceptsLine?: boolean | undefined
}

/** The facts of a token that tell whose memory it is. */
export type Origin = {
  /** Whether it is a licensed fork: anybody can have one minted for anybody. */
  readonly isFork: boolean
  readonly creator: string
  /** The one who saved it, by an authentic head that was sealed for this token; absent for any other. */
  readonly savedBy: SealedSaver | undefined
}

/** Returns whether a memory is its reader's own. */
export function isOwnOf({ savers, creators }: Identity, { isFork, creator, savedBy }: Origin) {
  if (isFork) return false
  if (savedBy !== undefined) return savedBy.hasOwnLine && savers.some((it) => isSame(it, savedBy))
  return creators.some((it) => it.toLowerCase() === creator.toLowerCase())
}

const isSame = (one: Saver, other: Saver): boolean =>
  one.kind === other.kind && one.name === other.name
