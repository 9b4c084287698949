import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { lruCache, worker } from '@heirloom/adapters/internal/platform'
import { programFolder } from '../../package-folder.ts'
import { inFlight } from '../bounds/in-flight.ts'
import { type Drawn, drawCard } from './card-drawing.ts'

/** A job of the thread that draws: a drawing, and the folder of the fonts and of the program. */
export type DrawJob = { readonly folder: string; readonly svg: string }

/** The image as PNG. */
export type DrawReply = Uint8Array<ArrayBuffer>

/** Draws the images of documents that other sites show beside a link. */
export type CardImages = {
  /** Returns an entity tag of an image, without drawing it. */
  readonly etagOf: (drawn: Drawn) => string
  /**
   * Returns an image as PNG, for a client.
   *
   * @throws `service/busy` when too many wait to be drawn, `request/too-many` when too many of the
   * client do
   */
  readonly draw: (drawn: Drawn, client: string) => Promise<Uint8Array>
}

/** The images that wait to be drawn, or are drawn, at the most: of all clients, and of each. */
const limits = { max: 16, maxPerClient: 4, what: 'images to draw at once' } as const

/** The memory for images that were drawn, in bytes. */
const cacheBytes = 4 * 2 ** 20

/** The most memory for the objects of the thread in MB. */
const heapLimit = 64

// Beside the packed program; for the sources, in the folder of that program.
const folders = ['drawing', '../dist/drawing'].map((it) => join(programFolder, it))

/** Opens the drawing of images; returns `undefined` when its fonts were not built. */
export function openCardImages(
  resources: Pick<AsyncDisposableStack, 'defer'>,
  candidates: readonly string[] = folders,
): CardImages | undefined {
  const folder = candidates.find((it) => existsSync(join(it, 'resvg.wasm')))
  if (folder === undefined) return undefined
  // A packed program has its worker's program packed beside it.
  const program = new URL(`./draw-worker-program${extname(import.meta.url)}`, import.meta.url)
  const thread = worker<DrawJob, DrawReply>(program, undefined, heapLimit)
  resources.defer(thread.end)
  const drawn = lruCache<string, Uint8Array>(cacheBytes, ({ byteLength }) => byteLength)
  const flight = inFlight(limits)
  const drawAnew = async (svg: string, client: string): Promise<Uint8Array> => {
    const leave = flight.enter(client, 1)
    try {
      const png = await thread.ask({ folder, svg })
      drawn.set(svg, png)
      return png
    } finally {
      leave()
    }
  }
  return {
    etagOf: (of) =>
      `"${createHash('sha256').update(drawCard(of)).digest('base64url').slice(0, 22)}"`,
    async draw(of, client) {
      const svg = drawCard(of)
      return drawn.get(svg) ?? drawAnew(svg, client)
    },
  }
}
