import type { Pace } from '@heirloom/core'
import { serialQueue } from './serial-queue.ts'

/** The bytes after which other requests have their turn. */
const bytesAtOnce = 65_536

/** All reads inside memories wait in one row: with a row for each, other requests wait for all. */
const inTurn = serialQueue()

/** Returns a function that lets other requests and other reads have their turn after some bytes. */
export function pacer(): Pace {
  let scanned = 0
  return async (bytes) => {
    scanned += bytes
    if (scanned < bytesAtOnce) return
    scanned = 0
    await inTurn(async () => undefined)
  }
}
