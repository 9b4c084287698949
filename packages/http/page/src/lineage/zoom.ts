import type { Drawing } from './lay-out-lineage.ts'

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
