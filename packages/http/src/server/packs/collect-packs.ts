import type { CondemnedPack, NotedPacks, PackNotes } from '@heirloom/adapters/internal/pack-notes'
import {
  type Account,
  type Digest,
  isFailure,
  type OpenBlobStore,
  type Seal,
  sameAccount,
} from '@heirloom/core'

export declare namespace collectPacks {
  type Parts = {
    readonly notes: Pick<
      PackNotes,
      'now' | 'creatorsDue' | 'read' | 'condemn' | 'pardon' | 'whileCondemned' | 'forget'
    >
    readonly blobStore: Pick<OpenBlobStore, 'head' | 'local' | 'remove'>
    readonly inspect: (head: Uint8Array) => Pick<Seal, 'packs'>
    /**
     * Returns the digests of all tokens of a creator, as the head of the chain has them.
     *
     * @throws when the chain does not answer
     */
    readonly mintedBy: (creator: Account) => Promise<ReadonlySet<Digest>>
    /** Reports whether a job or a seal that has not ended without a token needs a root. */
    readonly isNeeded: (root: Digest) => Promise<boolean>
    /** Reports whether a root was erased: nothing opens it any more. */
    readonly isErased?: ((root: Digest) => boolean) | undefined
    /** The wallets of this server, whose memories it must have. */
    readonly owners: readonly Account[]
    /** When each pack was condemned that this process has removed: it removes a pack once. */
    readonly removed: Map<Digest, number>
    /** The packs that this process has seen in its storage. */
    readonly here: Set<Digest>
  }
}

/** The result of a sweep. */
export type Collected = {
  /** The packs that were removed from this server's storage for the first time. */
  readonly removed: number
  /** The creators whose packs stay, because the head of one of their memories cannot be read. */
  readonly unsure: readonly Account[]
}

/** The time for which a condemned pack is removed by servers that were down, in milliseconds. */
const condemnedFor = 90 * 86_400_000

/** The time for which a root without a token is remembered, in milliseconds. */
const rootsFor = 7 * 86_400_000

/**
 * Removes the packs that no version needs: those whose leases have ended, and that no token, no seal
 * that waits for its mint and no job refers to. Counts no references: it reads them anew. When the
 * chain or the storage does not answer it throws, and nothing is removed.
 */
export async function collectPacks(
  parts: collectPacks.Parts,
  closing: AbortSignal,
): Promise<Collected> {
  const unsure: Account[] = []
  let removed = 0
  for (const creator of await parts.notes.creatorsDue()) {
    if (closing.aborted) break
    const count = await collectOf(parts, creator)
    if (count === undefined) unsure.push(creator)
    removed += count ?? 0
  }
  const { notes } = parts
  await notes.forget({ roots: [], condemned: notes.now() - condemnedFor })
  return { removed, unsure }
}

/** Removes the packs of a creator; returns how many, or `undefined` if their use is not known. */
async function collectOf(parts: collectPacks.Parts, creator: Account): Promise<number | undefined> {
  const { notes } = parts
  const noted = await notes.read(creator)
  if (noted.due.length + waitingOf(parts, noted).length === 0) return 0
  const minted = await parts.mintedBy(creator)
  const { live, stale } = await sortRoots(parts, noted, minted)
  const marks = await markPacks(parts, { creator, noted, minted, live })
  if (marks === undefined) return undefined
  // Only a database that an earlier backup restored condemns what a token refers to.
  const digests = noted.condemned.map(({ digest }) => digest)
  await notes.pardon(digests.filter((it) => marks.has(it)))
  await notes.condemn(noted.due.filter((it) => !marks.has(it)))
  await notes.forget({ roots: stale, condemned: 0 })
  // Read again: another server may have condemned them just now, and all remove them at one time.
  const waiting = waitingOf(parts, await notes.read(creator))
  return removePacks(
    parts,
    waiting.filter(({ digest }) => !marks.has(digest)),
  )
}

/** The time for which each sweep removes a pack again that another machine may bring back, in milliseconds. */
const removedAgainFor = 2 * 86_400_000

/** Returns the condemned packs to remove now. */
function waitingOf(
  { notes, removed }: collectPacks.Parts,
  { condemned }: NotedPacks,
): readonly CondemnedPack[] {
  const now = notes.now()
  return condemned.filter(
    ({ digest, at }) => removed.get(digest) !== at || at > now - removedAgainFor,
  )
}

/** Sorts the noted roots without a token into those that may get one and those that never will. */
async function sortRoots(
  { notes, isNeeded }: collectPacks.Parts,
  { roots }: NotedPacks,
  minted: ReadonlySet<Digest>,
) {
  const [live, stale]: [Digest[], Digest[]] = [[], []]
  for (const [root, { storedAt }] of roots) {
    if (minted.has(root)) continue
    // After the chain: a job or a seal that ended with a token since is still known.
    if (await isNeeded(root)) live.push(root)
    else if (storedAt < notes.now() - rootsFor) stale.push(root)
  }
  return { live, stale }
}

type Marking = {
  readonly creator: Account
  readonly noted: NotedPacks
  readonly minted: ReadonlySet<Digest>
  readonly live: readonly Digest[]
}

/** Returns the packs that roots refer to; `undefined` when a root of ours cannot be read. */
async function markPacks(
  parts: collectPacks.Parts,
  { creator, noted, minted, live }: Marking,
): Promise<ReadonlySet<Digest> | undefined> {
  const marks = new Set<Digest>()
  const isOwn = parts.owners.some((it) => sameAccount(it, creator))
  for (const root of [...minted, ...live]) {
    if (parts.isErased?.(root) === true) continue
    const packs = noted.roots.get(root)?.packs ?? (await readPacksOf(parts, root, isOwn))
    if (packs === undefined) return undefined
    for (const pack of packs) marks.add(pack)
  }
  return marks
}

/**
 * Reads the packs of a root without a note, which a database that was lost leaves. Anybody can mint a
 * digest that is nowhere, so of others only what is stored here counts; and nothing of ours is
 * removed while one of our own roots cannot be read.
 */
async function readPacksOf(
  { blobStore, inspect }: collectPacks.Parts,
  root: Digest,
  isOwn: boolean,
): Promise<readonly Digest[] | undefined> {
  try {
    return inspect(await (isOwn ? blobStore : blobStore.local).head(root)).packs
  } catch (error) {
    const isGone = isFailure(error, 'blob/not-found') || isFailure(error, 'blob/corrupt')
    if (!isGone && !isFailure(error, 'bundle/unreadable')) throw error
    return isOwn ? undefined : []
  }
}

async function removePacks(
  { notes, blobStore, removed, here }: collectPacks.Parts,
  packs: readonly CondemnedPack[],
): Promise<number> {
  let count = 0
  for (const { digest, at } of packs) {
    here.delete(digest)
    const isRemoved = await notes.whileCondemned(digest, () => blobStore.remove(digest))
    if (isRemoved && removed.get(digest) !== at) count += 1
    if (isRemoved) removed.set(digest, at)
  }
  return count
}

/** Removes from time to time what no version needs. */
type PackSweep = {
  /** Sweeps once more, after the current sweep. */
  readonly sweep: () => Promise<void>
  /** Stops after the current step. */
  readonly close: () => Promise<void>
}

export declare namespace packSweep {
  type Parts = {
    readonly collect: (closing: AbortSignal) => Promise<Collected>
    readonly observe?: (collected: Collected) => void
    readonly onTrouble: (error: unknown) => void
    /** Returns the time of the job store, in milliseconds since 1970. */
    readonly now: () => number
  }
}

/** The time between two sweeps, in milliseconds. */
const interval = 3_600_000

/**
 * Starts the sweeps, at each full hour by the clock that all servers read. Machines with disks of
 * their own remove a pack at one time: what one of them still has it would store on the others again.
 */
export function packSweep({
  collect,
  observe = () => undefined,
  onTrouble,
  now,
}: packSweep.Parts): PackSweep {
  const closing = new AbortController()
  let last: Promise<void> = Promise.resolve()
  const run = async () => {
    if (closing.signal.aborted) return
    await collect(closing.signal).then(observe, onTrouble)
  }
  const sweep = () => {
    last = last.then(run)
    return last
  }
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(() => void sweep().then(schedule), interval - (now() % interval)).unref()
  }
  schedule()
  return {
    sweep,
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await last
      clearTimeout(timer)
    },
  }
}
