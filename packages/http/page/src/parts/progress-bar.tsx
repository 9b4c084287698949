import { useId } from 'preact/hooks'

type Props = {
  readonly name: string
  /** The finished share, from 0 to 1; absent while it is unknown. */
  readonly share?: number | undefined
}

/** Shows a progress bar. */
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
