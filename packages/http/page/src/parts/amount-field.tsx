import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { parseEther } from '../text/ether.ts'

type Props = {
  readonly name: string
  readonly text: string
  readonly setText: (text: string) => void
  readonly hint?: string
}

/** Shows a field for an amount in ether. */
export function EtherField({ name, text, setText, hint }: Props): JSX.Element {
  const hintId = useId()
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
        aria-describedby={hintId}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <small id={hintId} class={isWrong ? 'wrong' : ''}>
        {isWrong
          ? 'Enter an amount such as 0.05, with a decimal point.'
          : describeAmount(wei, hint)}
      </small>
    </label>
  )
}

function describeAmount(wei: bigint | undefined, hint: string | undefined): string {
  return wei === undefined || wei === 0n ? (hint ?? '') : `${wei} wei`
}
