import type { ComponentChildren, JSX } from 'preact'

type Props = {
  /** The values at the top and at the bottom. */
  readonly values: readonly [top: string, bottom: string]
  /** The times at the left and at the right. */
  readonly times: readonly [left: string, right: string]
  readonly children: ComponentChildren
}

/** Shows a chart with the values and times at the ends of its axes; a table beside it says the same. */
export function ChartAxes({ values, times, children }: Props): JSX.Element {
  return (
    <div class="axes" aria-hidden="true">
      <Labels class="values" of={values} />
      {children}
      <Labels class="times" of={times} />
    </div>
  )
}

type LabelsProps = { readonly class: string; readonly of: readonly [string, string] }

function Labels({ class: name, of: [first, last] }: LabelsProps): JSX.Element {
  return (
    <p class={name}>
      <span>{first}</span>
      <span>{last}</span>
    </p>
  )
}
