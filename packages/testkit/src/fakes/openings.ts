import type { Openings, RecordedOpening } from '@heirloom/core'
import { pageOf } from './catalogue/pages.ts'

/** Creates openings in memory. */
export function memoryOpenings(): Openings {
  const recorded = new Map<string, { readonly opening: RecordedOpening; readonly serial: bigint }>()
  let serial = 0n
  return {
    record: (opening) => {
      const key = keyOf(opening)
      const { opening: earlier, serial: given = ++serial } = recorded.get(key) ?? {}
      const count = opening.count + (earlier?.count ?? 0)
      const asOf = Math.max(opening.asOf ?? 0, earlier?.asOf ?? 0) as RecordedOpening['asOf']
      recorded.set(key, {
        opening: { ...opening, count, ...(opening.asOf !== undefined && { asOf }) },
        serial: given,
      })
    },
    list: async ({ tokenId, owner }, page) => {
      const of = [...recorded.values()].filter(
        ({ opening }) => opening.tokenId === tokenId && opening.owner === owner,
      )
      const { items, next } = pageOf(of, page, {
        name: `openings-${tokenId}`,
        keyOf: (it) => [BigInt(it.opening.at), it.serial],
        descending: true,
      })
      return { items: items.map((it) => it.opening), next }
    },
    has: async ({ tokenId, owner }) =>
      [...recorded.values()].some(
        ({ opening }) => opening.tokenId === tokenId && opening.owner === owner,
      ),
    forget: async (before) => {
      for (const [key, { opening }] of recorded) if (opening.at < before) recorded.delete(key)
    },
  }
}

/** Returns what equal openings have in common. */
const keyOf = ({ count: _, asOf: __, tokenId, ...opening }: RecordedOpening) =>
  JSON.stringify([`${tokenId}`, opening])
