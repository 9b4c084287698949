import type { Transform } from 'node:stream'
import { releaseBuffer } from '../platform/release-buffer.ts'

export declare namespace through {
  type Input = {
    /** What goes in; each piece is freed once it has been read. */
    readonly pieces: AsyncIterable<Uint8Array>
    /** Looks at a piece while it is being read. */
    readonly note?: (piece: Uint8Array) => void
    /** Takes what comes out, part by part; what it throws ends all. */
    readonly take: (part: Uint8Array) => void
  }
}

/** Passes pieces through a transform that works in another thread, while this one does the rest. */
export async function through(
  transform: Transform,
  { pieces, note = () => undefined, take }: through.Input,
): Promise<void> {
  const end = (error: Error) => {
    transform.destroy(error)
    throw error
  }
  await Promise.all([feed(transform, pieces, note).catch(end), drain(transform, take).catch(end)])
}

async function feed(
  transform: Transform,
  pieces: AsyncIterable<Uint8Array>,
  note: (piece: Uint8Array) => void,
): Promise<void> {
  let written = Promise.resolve()
  for await (const piece of pieces) {
    await written
    written = write(transform, piece)
    // It fails again where it is awaited, which may be after the next piece has failed to come.
    written.catch(() => undefined)
    note(piece)
  }
  await written
  transform.end()
}

function write(transform: Transform, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    transform.write(piece, (error) => {
      releaseBuffer(piece)
      if (error) reject(error)
      else resolve()
    })
  })
}

async function drain(transform: Transform, take: (part: Uint8Array) => void): Promise<void> {
  for await (const part of transform) {
    take(part)
    releaseBuffer(part)
  }
}
