import { type Cipher, type Digest, hash, isFailure, type SealOptions } from '@heirloom/core'
import { inParallel } from '../platform/in-parallel.ts'
import { releaseBuffer } from '../platform/release-buffer.ts'
import { sealedLength, sealer } from './chunks.ts'
import type { CipherParts } from './cipher-parts.ts'
import { commitItems, releaseHandedOver } from './commit-items.ts'
import { cryptoWorker } from './crypto-worker.ts'
import { sizes } from './envelope.ts'
import { type Drawn, draw, headerOf, streamOf } from './header-of.ts'
import { packHead } from './parts/pack-windows.ts'
import type { SealedParts } from './parts/seal-parts.ts'
import { nodePacksOf, type PreviousVersion, previousVersion } from './previous-version.ts'
import type { Unsealed } from './seal.ts'

/**
 * Seals a document in parts, and stores those that the last version of its line does not have.
 * Whatever is wrong with the last version, the document is sealed: then it shares nothing.
 *
 * @throws `excerpt/not-in-memory`, `card/malformed` for excerpts, `blob/unavailable`, and what
 * `beforeStoring` throws
 */
export async function sealInParts(parts: CipherParts, input: Unsealed): ReturnType<Cipher['seal']> {
  const drawn = draw(parts.random, input.options.salt)
  const { shown, document } = await commitItems(input, drawn)
  const unsealed = { ...input, document }
  const work = { parts, unsealed, drawn, shown, length: document.length }
  const made = await make(work).finally(() => releaseHandedOver(unsealed))
  try {
    return await finish(work, made)
  } finally {
    made.lineKey.fill(0)
    made.previous?.lineKey.fill(0)
  }
}

type Work = {
  readonly parts: CipherParts
  readonly unsealed: Unsealed
  readonly drawn: Drawn
  readonly shown: headerOf.Input['shown']
  /** The length of the document, which may have been released, in bytes. */
  readonly length: number
}

/** The sealed parts of a document, and what they go on from. */
type Made = {
  readonly sealed: SealedParts
  readonly lineKey: Uint8Array
  readonly previous: PreviousVersion | undefined
}

/** Seals the parts: those that are new, if the last version can be read. */
async function make(work: Work): Promise<Made> {
  const previous = await previousVersion(work.parts, work.unsealed)
  const made = previous && (await tryPerform(work, previous))
  if (made !== undefined) return made
  previous?.lineKey.fill(0)
  return perform(work, undefined)
}

async function tryPerform(work: Work, previous: PreviousVersion): Promise<Made | undefined> {
  try {
    return await perform(work, previous)
  } catch (error) {
    // Its list or one of its packs does not open.
    if (isFailure(error)) return undefined
    throw error
  }
}

async function perform(
  { parts, unsealed, drawn }: Work,
  previous: PreviousVersion | undefined,
): Promise<Made> {
  const { document, options } = unsealed
  const { random, secretbox } = parts
  // Copies, because a view would be sent with its whole buffer.
  const lineKey = Uint8Array.from(previous?.lineKey ?? random(sizes.key))
  const sealed = await cryptoWorker.ask(
    {
      kind: 'seal-parts',
      secretbox: secretbox.name,
      lineKey,
      seed: Uint8Array.from(random(sizes.key)),
      salt: Uint8Array.from(drawn.salt),
      length: document.length,
      isShared: options.line !== undefined,
      previous: previous && { root: previous.root, length: previous.length },
    },
    { pieces: piecesOf(document, previous && nodePacksOf(previous, options.blobs)) },
  )
  return { sealed: sealed as SealedParts, lineKey, previous }
}

async function* piecesOf(
  document: Uint8Array,
  nodePacks: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  if (nodePacks !== undefined) yield* nodePacks
  for (let at = 0; at < document.length; at += sizes.chunk) {
    yield document.subarray(at, at + sizes.chunk)
  }
}

/** Stores the packs, and returns the envelope that names them. */
async function finish(
  { parts, unsealed, drawn, shown, length }: Work,
  { sealed, lineKey, previous }: Made,
): ReturnType<Cipher['seal']> {
  const { context, options } = unsealed
  const { blobs, line, beforeStoring } = options
  const payload = new Uint8Array(sealedLength(sealed.root.length))
  const writer = sealer(streamOf(parts, drawn), payload)
  writer.add(sealed.root)
  writer.end()
  const contentHash = hash(`0x${sealed.sum}`)
  await beforeStoring?.(addedLength(sealed) + shownLength(shown) + payload.length)
  const added = await storePacks(blobs, sealed.added)
  const retained = sealed.retained.map((at) => previous?.packs[at] as Digest)
  const { random } = parts
  const lineParts = { lineKey, lineSalt: random(sizes.wrapSalt), lineNonce: random(sizes.nonce) }
  const header = headerOf(parts, drawn, {
    ...{ context, contentHash, compressed: false, lineName: line?.name, shown },
    ...{ length, sealedLength: payload.length },
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
function addedLength({ added, retained }: SealedParts): number {
  const packs = added.length + retained.length
  return sizes.longHead + packs * sizes.digest + added.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the length of what a header shows, with the headings of both sections, in bytes. */
const shownLength = ({ items, excerpts }: headerOf.Input['shown']): number =>
  12 + (items?.length ?? 0) + (excerpts?.length ?? 0)
