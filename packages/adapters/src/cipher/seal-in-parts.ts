import { type Cipher, type Digest, hash, type SealOptions } from '@heirloom/core'
import { inParallel } from '../platform/in-parallel.ts'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { sealedLength, sealer } from './chunks.ts'
import type { CipherParts, Unsealed } from './cipher-parts.ts'
import { movable } from './commit-items.ts'
import { saltOf, sectionsOf } from './commitment.ts'
import { cryptoWorker } from './crypto-worker.ts'
import { sizes } from './envelope.ts'
import { type Drawn, draw, headerOf, streamOf } from './header-of.ts'
import { packHead } from './parts/pack-windows.ts'
import type { SealedParts } from './parts/seal-parts.ts'
import { type PreviousVersion, previousVersion } from './previous-version.ts'

/**
 * Seals a document in parts, and stores those that the last version of its line does not have.
 * Whatever is wrong with the last version, the document is sealed: then it shares nothing.
 *
 * @throws `excerpt/not-in-memory`, `card/malformed` for excerpts, `blob/unavailable`, and what
 * `beforeStoring` throws
 */
export async function sealInParts(
  parts: CipherParts,
  unsealed: Unsealed,
): ReturnType<Cipher['seal']> {
  const { length } = unsealed.document
  const drawn = draw(parts.random, unsealed.options.salt)
  const previous = await previousVersion(parts, unsealed)
  // A copy, because a view would be sent with its whole buffer.
  const lineKey = Uint8Array.from(parts.random(sizes.key))
  const work = { parts, unsealed, drawn, length, previous, lineKey }
  try {
    return await finish(work, await sealedBy(work))
  } finally {
    lineKey.fill(0)
    previous?.lineKey.fill(0)
  }
}

type Work = {
  readonly parts: CipherParts
  readonly unsealed: Unsealed
  readonly drawn: Drawn
  /** The length of the document, which may have been handed over, in bytes. */
  readonly length: number
  readonly previous: PreviousVersion | undefined
  /** The key of the line, unless it goes on from the last version. */
  readonly lineKey: Uint8Array
}

/** Has a worker seal the parts: those that are new, if the last version can be read. */
async function sealedBy({ parts, unsealed, drawn, previous, lineKey }: Work): Promise<SealedParts> {
  const { options } = unsealed
  const { random, secretbox } = parts
  const document = movable(unsealed)
  const sealed = await cryptoWorker.ask(
    {
      kind: 'seal-parts',
      secretbox: secretbox.name,
      document,
      lineKey,
      salt: saltOf(drawn.salt),
      pointers: options.excerpts ?? [],
      seed: Uint8Array.from(random(sizes.key)),
      isShared: options.line !== undefined,
      last: previous && lastOf(previous),
    },
    { moved: [document.buffer], pieces: previous?.nodePacks ?? [] },
  )
  return sealed as SealedParts
}

const lastOf = ({ lineKey, root, length, hasItems }: PreviousVersion) => ({
  length,
  hasItems,
  // Copies for the same reason.
  lineKey: Uint8Array.from(lineKey),
  root: Uint8Array.from(root),
})

/** Stores the packs, and returns the envelope that names them. */
async function finish(
  { parts, unsealed, drawn, length, ...work }: Work,
  { isContinued, ...sealed }: SealedParts,
): ReturnType<Cipher['seal']> {
  const { context, options } = unsealed
  const { blobs, line, beforeStoring } = options
  const payload = new Uint8Array(sealedLength(sealed.root.length))
  const writer = sealer(streamOf(parts, drawn), payload)
  writer.add(sealed.root)
  writer.end()
  const contentHash = hash(`0x${sealed.sum}`)
  const shown = sectionsOf(sealed.commitment)
  await beforeStoring?.(addedLength(sealed) + shownLength(shown) + payload.length)
  const added = await storePacks(blobs, sealed.added)
  const retained = sealed.retained.map((at) => work.previous?.packs[at] as Digest)
  const { random } = parts
  const lineKey = (isContinued && work.previous?.lineKey) || work.lineKey
  const lineParts = { lineKey, lineSalt: random(sizes.wrapSalt), lineNonce: random(sizes.nonce) }
  const header = headerOf(parts, drawn, {
    context,
    contentHash,
    compressed: false,
    lineName: line?.name,
    savedBy: options.savedBy,
    shown,
    length,
    sealedLength: payload.length,
    packs: [...retained, ...added],
    line: line && lineParts,
  })
  const envelope = Uint8Array.from(Buffer.concat([header, payload]))
  return { sealed: envelope, headLength: header.length, contentHash }
}

/** The packs that are stored at the same time: storing holds a copy of some of their bytes. */
const packsAtOnce = 2

/** Stores packs, and releases each as soon as it is stored; returns their digests. */
async function storePacks(
  blobs: Pick<SealOptions['blobs'], 'put'>,
  packs: SealedParts['added'],
): Promise<readonly Digest[]> {
  const digests: Digest[] = []
  await inParallel(packs.entries(), packsAtOnce, async ([at, pack]) => {
    digests[at] = await blobs.put(pack, packHead)
    releaseBuffer(pack)
  })
  return digests
}

/** Returns the length of new packs and of a header that names all packs, in bytes. */
function addedLength({ added, retained }: Pick<SealedParts, 'added' | 'retained'>): number {
  const packs = added.length + retained.length
  return sizes.longHead + packs * sizes.digest + added.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the length of what a header shows, with the headings of both sections, in bytes. */
const shownLength = ({ items, excerpts }: headerOf.Input['shown']): number =>
  12 + (items?.length ?? 0) + (excerpts?.length ?? 0)
