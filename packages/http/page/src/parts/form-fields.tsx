import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

type ActFormProps = {
  readonly summary: string
  readonly submit: () => void
  /** Called when its visitor opens it. */
  readonly onOpen?: () => void
  readonly children: ComponentChildren
}

/** Shows a form that its visitor opens, and that stays on its page when it is submitted. */
export function ActForm({ summary, submit, onOpen, children }: ActFormProps): JSX.Element {
  return (
    <details class="act" onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}>
      <summary>{summary}</summary>
      <Form submit={submit}>{children}</Form>
    </details>
  )
}

type FormProps = Pick<ActFormProps, 'submit' | 'children'> & { readonly class?: string }

/** Shows a form that stays on its page when it is submitted. */
export function Form({ submit, class: name, children }: FormProps): JSX.Element {
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <form class={name} onSubmit={onSubmit}>
      {children}
    </form>
  )
}

/** Holds what is typed in a field, as the members of that field. */
export function useText(first = ''): Pick<TextFieldProps, 'text' | 'setText'> {
  const [text, setText] = useState(first)
  return { text, setText }
}

export type TextFieldProps = {
  readonly name: string
  readonly class?: string
  readonly text: string
  readonly setText: (text: string) => void
  /** Says what the field is for, or what is wrong with its text. */
  readonly hint?: string | undefined
  /** Absent where any text is right. */
  readonly isWrong?: boolean | undefined
  /** The lines that are seen of a field for several; absent where there is one. */
  readonly rows?: number | undefined
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'date'
  readonly inputMode?: 'decimal' | 'numeric' | undefined
  readonly autocomplete?: 'off'
  readonly spellcheck?: boolean
  readonly dir?: 'auto'
  readonly list?: string | undefined
  readonly maxLength?: number | undefined
  readonly min?: number | string
  readonly max?: number | string
  readonly required?: boolean
  readonly placeholder?: string | undefined
  readonly onBlur?: () => void
  readonly children?: ComponentChildren
}

/** Shows a field for text; the other members are those of its element. */
export function TextField(props: TextFieldProps): JSX.Element {
  const {
    name,
    class: kind = 'field',
    text,
    setText,
    hint,
    isWrong,
    rows,
    children,
    ...others
  } = props
  const hintId = useId()
  // The types of inputs differ by their kind, which is known only to the caller.
  const members: object = {
    ...others,
    value: text,
    ...(isWrong !== undefined && { 'aria-invalid': isWrong }),
    ...(hint !== undefined && { 'aria-describedby': hintId }),
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      setText(event.currentTarget.value),
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is one of two elements inside.
    <label class={kind}>
      <span>{name}</span>
      {rows === undefined ? (
        <input type="text" {...members} />
      ) : (
        <textarea rows={rows} {...members} />
      )}
      {children}
      {hint !== undefined && (
        <small id={hintId} class={isWrong === true ? 'wrong' : ''}>
          {hint}
        </small>
      )}
    </label>
  )
}

type SubmitProps = {
  readonly name: string
  /** Says what is still to be done before; the button waits for it. */
  readonly missing?: string | false | undefined
  readonly isDisabled?: boolean
  /** The wallet is asked to sign; the form is sent when it has. */
  readonly isSigning?: boolean
  readonly class?: string
}

/** Shows the button that submits a form, and what it waits for. */
export function Submit(props: SubmitProps): JSX.Element {
  const { name, missing, isDisabled, isSigning = false, class: kind } = props
  const isOff = Boolean(missing) || isDisabled || isSigning
  return (
    <>
      <button type="submit" class={kind} disabled={isOff}>
        {isSigning ? 'Waiting for your wallet…' : name}
      </button>
      {missing && <small class="hint"> {missing}</small>}
    </>
  )
}

type CheckProps = {
  readonly isChecked: boolean
  readonly setChecked: (isChecked: boolean) => void
  readonly children: ComponentChildren
}

/** Shows a box to check, with what that means. */
export function Check({ isChecked, setChecked, children }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => setChecked(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  )
}

type TogglesProps<T> = {
  readonly class: string
  readonly legend: string
  readonly values: readonly T[]
  readonly chosen: T | undefined
  readonly choose: (value: T) => void
  readonly show: (value: T) => ComponentChildren
}

/** Lets a visitor choose one of some values, which stand side by side. */
export function Toggles<T extends string | number>(props: TogglesProps<T>): JSX.Element {
  const { class: className, legend, values, chosen, choose, show } = props
  const name = useId()
  return (
    <fieldset class={className}>
      <legend>{legend}</legend>
      {values.map((it) => (
        <label key={it}>
          <input type="radio" name={name} checked={it === chosen} onChange={() => choose(it)} />
          <span>{show(it)}</span>
        </label>
      ))}
    </fieldset>
  )
}

type SelectProps<T> = {
  readonly label?: string
  readonly class?: string
  readonly id?: string
  readonly 'aria-label'?: string
  readonly chosen: T
  readonly choose: (value: T) => void
  readonly options: readonly (readonly [value: T, text: string])[]
}

/** Shows a list of which one is chosen, with its label where none is beside it. */
export function Select<T extends string>(props: SelectProps<T>): JSX.Element {
  const { label, class: kind = 'field', chosen, choose, options, ...others } = props
  const id = useId()
  const select = (
    <select
      id={id}
      {...others}
      value={chosen}
      onChange={({ currentTarget }) => choose(currentTarget.value as T)}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
  if (label === undefined) return select
  return (
    <label class={kind} for={id}>
      <span>{label}</span>
      {select}
    </label>
  )
}
