import type { Transform } from 'node:stream'
import { releaseBuffer } from '../platform/release-buffer.ts'

export declare namespace transformStream {
  type Input = {
    /** The input; the buffer of each piece is released once it has been read. */
    readonly pieces: AsyncIterable<Uint8Array>
    /** Reads a piece while the transform processes it. */
    readonly inspect?: (piece: Uint8Array) => void
    /** Receives the output, part by part; an error it throws ends the transform. */
    readonly take: (part: Uint8Array) => void
  }
}

/** Passes pieces through a transform, which works in the thread pool meanwhile. */
export async function transformStream(
  transform: Transform,
  { pieces, inspect = () => undefined, take }: transformStream.Input,
): Promise<void> {
  const abort = (error: Error) => {
    transform.destroy(error)
    throw error
  }
  await Promise.all([
    feed(transform, pieces, inspect).catch(abort),
    drain(transform, take).catch(abort),
  ])
}

async function feed(
  transform: Transform,
  pieces: AsyncIterable<Uint8Array>,
  inspect: (piece: Uint8Array) => void,
): Promise<void> {
  let written = Promise.resolve()
  for await (const piece of pieces) {
    await written
    written = write(transform, piece)
    // The failure is reported where it is awaited, which may be too late to count as handled.
    written.catch(() => undefined)
    inspect(piece)
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
