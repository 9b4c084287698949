import { stratify, tree } from 'd3-hierarchy'
import type { Lineage, Relative } from '../../../src/client/responses.ts'

/** Where a token stands in the drawing. */
export type Place = {
  readonly relative: Relative
  readonly x: number
  readonly y: number
  readonly parent: string | undefined
  readonly children: readonly string[]
}

/** The drawing of a lineage; the root is on the left, what came of it to the right. */
export type Drawing = {
  readonly places: readonly Place[]
  readonly width: number
  readonly height: number
}

export const box = { width: 168, height: 62, across: 56, down: 18 } as const

/** Returns all who are told of in a lineage, oldest generation first. */
export function kinOf({ token, link, ancestors, descendants }: Lineage): readonly Relative[] {
  return [...ancestors.toReversed(), { token, link }, ...descendants]
}

/** Lays a lineage out as a tidy tree. */
export function drawn(lineage: Lineage): Drawing {
  const kin = kinOf(lineage)
  const known = new Set(kin.map(({ token }) => token.tokenId))
  // Where ancestors are cut off, the oldest of those that are told stands as the root.
  const parentOf = ({ token }: Relative) => (known.has(token.parent) ? token.parent : undefined)
  const root = stratify<Relative>()
    .id(({ token }) => token.tokenId)
    .parentId(parentOf)([...kin])
  const laid = tree<Relative>().nodeSize([box.height + box.down, box.width + box.across])(root)
  const nodes = laid.descendants()
  const top = Math.min(...nodes.map(({ x }) => x))
  const bottom = Math.max(...nodes.map(({ x }) => x))
  const places = nodes.map((node) => ({
    relative: node.data,
    x: node.y + 2,
    y: node.x - top + 2,
    parent: node.parent?.data.token.tokenId,
    children: (node.children ?? []).map((it) => it.data.token.tokenId),
  }))
  return {
    places,
    width: Math.max(...places.map(({ x }) => x)) + box.width + 4,
    height: bottom - top + box.height + 4,
  }
}

/** Returns whom an arrow key leads to: left to the parent, right to the first child, up and down to siblings. */
export function neighbour({ places }: Drawing, from: string, key: string): string | undefined {
  const find = (id: string | undefined) => places.find((it) => it.relative.token.tokenId === id)
  const here = find(from)
  if (key === 'ArrowLeft') return here?.parent
  if (key === 'ArrowRight') return here?.children[0]
  const siblings = find(here?.parent)?.children ?? []
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  return step === 0 ? undefined : siblings[siblings.indexOf(from) + step]
}
