import { stratify, tree } from 'd3-hierarchy'
import type { LineageItem } from './fold-lineage.ts'

/** An item and its position in the drawing. */
export type PlacedItem = {
  readonly item: LineageItem
  readonly x: number
  readonly y: number
  readonly children: readonly string[]
}

/** The drawing of a lineage, with the first item on the left and its descendants to the right. */
export type Drawing = Readonly<ReturnType<typeof layOutLineage>>

export const box = { width: 168, height: 62, across: 56, down: 18 } as const

/** Lays the items of a lineage out as a tidy tree. */
export function layOutLineage(items: readonly LineageItem[]) {
  const root = stratify<LineageItem>()
    .id(({ id }) => id)
    .parentId(({ parent }) => parent)([...items])
  const laid = tree<LineageItem>().nodeSize([box.height + box.down, box.width + box.across])(root)
  const nodes = laid.descendants()
  const top = Math.min(...nodes.map(({ x }) => x))
  const bottom = Math.max(...nodes.map(({ x }) => x))
  const right = Math.max(...nodes.map(({ y }) => y))
  const placed = nodes.map((node): [string, PlacedItem] => {
    const children = (node.children ?? []).map(({ data }) => data.id)
    return [node.data.id, { item: node.data, x: node.y + 2, y: node.x - top + 2, children }]
  })
  return {
    /** By the ids of the items, in the order of the tree. */
    items: new Map(placed),
    width: right + box.width + 4,
    height: bottom - top + box.height + 4,
  }
}

/** Returns the item that an arrow key leads to: left to the parent, right to the first child, up and down to siblings. */
export function findNeighbour({ items }: Drawing, from: string, key: string): string | undefined {
  const here = items.get(from)
  const parent = here?.item.parent
  if (key === 'ArrowLeft') return parent
  if (key === 'ArrowRight') return here?.children[0]
  const siblings = parent === undefined ? [] : (items.get(parent)?.children ?? [])
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  return step === 0 ? undefined : siblings[siblings.indexOf(from) + step]
}

/**
 * The factors by which a drawing is smaller or larger. At the least one its smallest text, of 0.72rem,
 * is still 8 pixels high.
 */
export const scales = { least: 0.7, most: 2, step: 1.25 } as const

/** Limits a scale to those at which a drawing is readable. */
export const limitScale = (scale: number): number =>
  Math.min(scales.most, Math.max(scales.least, scale))

/** Returns the largest scale up to 1 at which a drawing fits its frame, or the least one. */
export function scaleToFit(
  frame: HTMLElement | null,
  { width, height }: Pick<Drawing, 'width' | 'height'>,
): number {
  if (frame === null) return 1
  const inner = innerSize(frame)
  return limitScale(Math.min(1, inner.width / width, inner.height / height))
}

/** Returns the size of the largest content that a frame shows without scrolling. */
function innerSize(frame: HTMLElement) {
  const style = getComputedStyle(frame)
  const sum = (...lengths: readonly string[]) =>
    lengths.reduce((total, length) => total + Number.parseFloat(length), 0)
  const { paddingLeft, paddingRight, paddingTop, paddingBottom, maxHeight } = style
  const { borderTopWidth, borderBottomWidth } = style
  return {
    width: frame.clientWidth - sum(paddingLeft, paddingRight),
    // The frame of a small drawing is lower than it may be.
    height: sum(maxHeight) - sum(paddingTop, paddingBottom, borderTopWidth, borderBottomWidth),
  }
}
