import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

type Props = {
  readonly name: string
  /** How much is done, of 1; absent while nobody knows. */
  readonly share?: number | undefined
}

/** How far something has come. */
export function ProgressBar({ name, share }: Props): JSX.Element {
  const id = useId()
  return (
    <div class="progress">
      <span id={id} role="status">
        {name}
      </span>
      <progress aria-labelledby={id} {...(share !== undefined && { value: share, max: 1 })} />
    </div>
  )
}
