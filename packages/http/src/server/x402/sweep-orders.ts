import { failedSettlements } from '@heirloom/adapters/internal/job-queries'
import { decodeSettle } from '@heirloom/adapters/internal/orders'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { Hex } from '@heirloom/core'
import { rescue } from './rescue.ts'

/**
 * The time between two sweeps, and how far back each looks, in milliseconds: beyond the deadline that a
 * server gives an order, after which its money may be given back whatever the terms are.
 */
const times = { between: 600_000, back: 8 * 86_400_000 }

/** The name that the limits of a sweep count for. */
const client = { name: 'sweep', key: undefined }

/**
 * Ends orders whose settlement failed, at the start and every ten minutes: a payment that somebody used
 * early is carried out where its terms match again, and given back otherwise. The first sweep looks at
 * all that is known, because the server may have been down for longer than the others look back.
 */
export function sweepOrders(parts: sweepOrders.Parts): { readonly close: () => Promise<void> } {
  const { store, now, onTrouble } = parts
  let since = 0
  const sweep = async () => {
    const seen = new Set<Hex>()
    for await (const data of failedSettlements(store, since)) {
      if (isClosed) return
      const { order } = decodeSettle(data)
      const { orderHash } = parts.orders.locate(order)
      // An order that failed several times is looked at once.
      if (seen.has(orderHash)) continue
      seen.add(orderHash)
      await rescue(parts, order, { client, isWanted: true })
    }
    since = now() - times.back
  }
  let isClosed = false
  let running = sweep().catch(onTrouble)
  const timer = setInterval(() => {
    running = running.then(sweep).catch(onTrouble)
  }, times.between)
  timer.unref()
  return {
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

export declare namespace sweepOrders {
  type Parts = rescue.Parts & {
    readonly store: JobStore
    /** Returns the time, in milliseconds since 1970. */
    readonly now: () => number
    readonly onTrouble: (error: unknown) => void
  }
}
