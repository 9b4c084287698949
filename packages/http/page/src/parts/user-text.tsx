/** Shows lines of a user's text. */
export const Lines = ({ of }: { readonly of: string }): JSX.Element => (
  <p class="lines" dir="auto">
    {of}
  </p>
)

/** Says how many characters of a text are not shown, where some are not. */
export const Rest = ({ of }: { readonly of: number }): JSX.Element | false =>
  of > 0 && <p class="hint">{of.toLocaleString('en')} more characters are not shown.</p>

/** Shows text of a user, isolated so that its direction does not affect the text around it. */
export function UserText({ of }: { readonly of: string }): JSX.Element {
  return <bdi dir="auto">{of}</bdi>
}

/** Shows a name of a user, in bold. */
export const BoldText = ({ of }: { readonly of: string }): JSX.Element => (
  <strong>
    <UserText of={of} />
  </strong>
)
