import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { parseEther } from '../text/ether.ts'

type Props = {
  readonly name: string
  readonly text: string
  readonly setText: (text: string) => void
  readonly hint?: string
}

/** Takes an amount in ether. */
export function EtherField({ name, text, setText, hint }: Props): JSX.Element {
  const said = useId()
  const wei = parseEther(text)
  const isWrong = text.trim() !== '' && wei === undefined
  return (
    <label class="field">
      <span>{name} (ETH)</span>
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={text}
        placeholder="0"
        aria-invalid={isWrong}
        aria-describedby={said}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <small id={said} class={isWrong ? 'wrong' : ''}>
        {isWrong ? 'Write an amount such as 0.05, with a point.' : saying(wei, hint)}
      </small>
    </label>
  )
}

function saying(wei: bigint | undefined, hint: string | undefined): string {
  return wei === undefined || wei === 0n ? (hint ?? '') : `${wei} wei`
}
