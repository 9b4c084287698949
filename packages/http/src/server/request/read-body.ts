import type { Readable } from 'node:stream'
import { Failure } from '@heirloom/core'

/** With how many bytes of room a body begins; most need no more. */
const firstRoom = 65_536

/** How many times the room grows at once; what nothing is written to costs no memory. */
const growth = 8

/** How many bytes of one body are taken before others get their turn: a large one may arrive fast. */
const turn = 262_144

export declare namespace bodyBytes {
  type Input = {
    /** The most that is read, in bytes. */
    readonly limit: number
    /** How long the client says the body is, in bytes, if it does. */
    readonly announced?: number | undefined
    /** Is called with the length of each piece before it is taken; may refuse. */
    readonly arrives?: ((bytes: number) => void) | undefined
  }
}

/**
 * Returns the bytes of a body, in a buffer that nothing else uses. The room for them follows what
 * has arrived, so a client that announces much and sends little costs little.
 *
 * @throws `request/too-large`; `request/malformed` when the body ends sooner or later than announced
 */
export function bodyBytes(
  source: Readable,
  { limit, announced, arrives }: bodyBytes.Input,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = growing(announced)
  const yieldTurn = inTurns(source)
  return new Promise((resolve, reject) => {
    const onData = (chunk: Uint8Array) => {
      if (body.length() + chunk.length > limit) return stop(() => reject(tooLarge(limit)))
      try {
        arrives?.(chunk.length)
      } catch (refusal) {
        return stop(() => reject(refusal))
      }
      body.add(chunk)
      yieldTurn(chunk.length)
    }
    const onEnd = () => {
      if (announced !== undefined && announced !== body.length()) onBreak()
      else stop(() => resolve(body.bytes()))
    }
    const onBreak = () => stop(() => reject(cutShort()))
    const stop = (settle: () => void) => {
      source.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak)
      settle()
    }
    if ((announced ?? 0) > limit) return reject(tooLarge(limit))
    source.on('error', onBreak).on('close', onBreak).on('end', onEnd).on('data', onData)
  })
}

/** Returns what pauses a source for the rest of a turn of the event loop once it gave its share. */
function inTurns(source: Readable): (taken: number) => void {
  let left = turn
  const resume = () => {
    left = turn
    source.resume()
  }
  return (taken) => {
    left -= taken
    if (left > 0 || source.isPaused()) return
    source.pause()
    setImmediate(resume)
  }
}

const tooLarge = (limit: number) => new Failure('request/too-large', { limit })

const cutShort = () =>
  new Failure('request/malformed', {
    where: 'content-length',
    problem: 'is not that of the body',
  })

function growing(announced = Number.POSITIVE_INFINITY) {
  let bytes = new Uint8Array(Math.min(announced, firstRoom))
  let length = 0
  const makeRoom = (needed: number) => {
    const room = Math.max(needed, Math.min(announced, bytes.length * growth))
    const larger = new Uint8Array(room)
    larger.set(bytes.subarray(0, length))
    letGo(bytes)
    bytes = larger
  }
  return {
    length: () => length,
    bytes: () => bytes.subarray(0, length),
    add(chunk: Uint8Array) {
      if (length + chunk.length > bytes.length) makeRoom(length + chunk.length)
      bytes.set(chunk, length)
      length += chunk.length
    },
  }
}

/** Frees the memory of bytes at once; whoever still looks at them finds none. */
export function letGo({ buffer }: Uint8Array): void {
  // A collector that runs late would let a few large bodies pile up.
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
