import type { ComponentChildren } from 'preact'

type Props = {
  /** The size of the drawing in its own units; it is stretched to its frame. */
  readonly size: { readonly width: number; readonly height: number }
  /** The values at the top and at the bottom. */
  readonly values: readonly [top: string, bottom: string]
  /** The times at the left and at the right. */
  readonly times: readonly [left: string, right: string]
  readonly children: ComponentChildren
}

/** Draws a chart with the values and times at the ends of its axes; a table beside it says the same. */
export function Chart({ size: { width, height }, values, times, children }: Props): JSX.Element {
  return (
    <div class="axes" aria-hidden="true">
      <p class="values">
        <span>{values[0]}</span>
        <span>{values[1]}</span>
      </p>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        {children}
      </svg>
      <p class="times">
        <span>{times[0]}</span>
        <span>{times[1]}</span>
      </p>
    </div>
  )
}
