import { useMemo } from 'preact/hooks'
import { drawRosette } from '../../../src/api/rosette.ts'

/** Shows the seal of a memory, a drawing of its content hash. */
export function Seal({ hash }: { readonly hash: string }): JSX.Element {
  const { curves, ink } = useMemo(() => drawRosette(hash), [hash])
  return (
    <svg class={`seal ink-${ink}`} viewBox="0 0 100 100" aria-hidden="true" focusable="false">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="44.5" />
      {curves.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  )
}

/** Shows the seal of an account, a drawing of its address, in the size of the text beside it. */
export const AccountSeal = ({ of }: { readonly of: string }): JSX.Element => (
  <span class="face">
    <Seal hash={of.toLowerCase() + of.slice(2).toLowerCase()} />
  </span>
)
