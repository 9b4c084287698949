import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { deployment } from '../deployment.ts'
import { namedAccounts } from '../wallet/named-accounts.ts'

type Props = {
  readonly name: string
  readonly text: string
  readonly setText: (text: string) => void
  readonly hint: string
  readonly isWrong: boolean
}

/** Shows the field for an address, with what it is for or what is wrong with it. */
export function AddressField({ name, text, setText, hint, isWrong }: Props): JSX.Element {
  const [hintId, listId] = [useId(), useId()]
  return (
    <label class="field">
      <span>{name}</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        list={listId}
        placeholder={deployment.value?.hasEns ? '0x… or name.eth' : '0x…'}
        value={text}
        aria-invalid={isWrong}
        aria-describedby={hintId}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <datalist id={listId}>
        {namedAccounts().map(({ name: label, address }) => (
          <option key={address} value={address} label={label} />
        ))}
      </datalist>
      <small id={hintId} class={isWrong ? 'wrong' : ''}>
        {hint}
      </small>
    </label>
  )
}
