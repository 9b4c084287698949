import { stratify, tree } from 'd3-hierarchy'
import type { Lineage, Relative } from '../../../src/client/responses.ts'

/** A token and its position in the drawing. */
export type PlacedToken = {
  readonly relative: Relative
  readonly x: number
  readonly y: number
  readonly parent: string | undefined
  readonly children: readonly string[]
}

/** The drawing of a lineage, with the root on the left and its descendants to the right. */
export type Drawing = {
  readonly tokens: readonly PlacedToken[]
  readonly width: number
  readonly height: number
}

export const box = { width: 168, height: 62, across: 56, down: 18 } as const

/** Lists all tokens of a lineage, the oldest generation first. */
export function listRelatives({
  token,
  link,
  ancestors,
  descendants,
}: Lineage): readonly Relative[] {
  return [...ancestors.toReversed(), { token, link }, ...descendants]
}

/** Lays a lineage out as a tidy tree. */
export function layOutLineage(lineage: Lineage): Drawing {
  const relatives = listRelatives(lineage)
  const known = new Set(relatives.map(({ token }) => token.tokenId))
  // If ancestors are omitted, the oldest known one is the root.
  const parentOf = ({ token }: Relative) => (known.has(token.parent) ? token.parent : undefined)
  const root = stratify<Relative>()
    .id(({ token }) => token.tokenId)
    .parentId(parentOf)([...relatives])
  const laid = tree<Relative>().nodeSize([box.height + box.down, box.width + box.across])(root)
  const nodes = laid.descendants()
  const top = Math.min(...nodes.map(({ x }) => x))
  const bottom = Math.max(...nodes.map(({ x }) => x))
  const tokens = nodes.map((node) => ({
    relative: node.data,
    x: node.y + 2,
    y: node.x - top + 2,
    parent: node.parent?.data.token.tokenId,
    children: (node.children ?? []).map((it) => it.data.token.tokenId),
  }))
  return {
    tokens,
    width: Math.max(...tokens.map(({ x }) => x)) + box.width + 4,
    height: bottom - top + box.height + 4,
  }
}

/** Returns the token that an arrow key leads to: left to the parent, right to the first child, up and down to siblings. */
export function findNeighbour({ tokens }: Drawing, from: string, key: string): string | undefined {
  const find = (id: string | undefined) => tokens.find((it) => it.relative.token.tokenId === id)
  const here = find(from)
  if (key === 'ArrowLeft') return here?.parent
  if (key === 'ArrowRight') return here?.children[0]
  const siblings = find(here?.parent)?.children ?? []
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  return step === 0 ? undefined : siblings[siblings.indexOf(from) + step]
}
