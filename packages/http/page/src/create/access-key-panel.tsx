import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { type Problem, toProblem } from '../api/problem.ts'
import { announce } from '../parts/announce.ts'
import { ProblemNotice } from '../parts/notice.tsx'
import { accessKey, checkAccessKey, setAccessKey } from './access-key.ts'

type Props = {
  /** Says what a key is needed for. */
  readonly children: ComponentChildren
}

/** Asks for the access key of this server, or shows that it is there. */
export function AccessKeyPanel({ children }: Props): JSX.Element {
  return (
    <section class="panel" aria-labelledby="key">
      <h2 id="key">Access key</h2>
      {accessKey.value === '' ? (
        <>
          <p>{children}</p>
          <KeyForm />
        </>
      ) : (
        <p class="buttons">
          <span>Your access key is remembered until this tab is closed.</span>
          <button type="button" onClick={() => setAccessKey('')}>
            Forget it
          </button>
        </p>
      )}
    </section>
  )
}

/** Asks for an access key, and stores it when the server knows it. */
function KeyForm(): JSX.Element {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setProblem(undefined)
    checkAccessKey(text).then(
      () => announce('The access key is valid.'),
      (error: unknown) => setProblem(toProblem(error)),
    )
  }
  return (
    <form onSubmit={submit}>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <label class="field">
        <span>Access key</span>
        <input
          type="password"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={text.trim() === ''}>
        Use this key
      </button>
    </form>
  )
}
