import type { ComponentChildren } from 'preact'
import { useRun } from '../api/use-answer.ts'
import { announce } from '../parts/announce.ts'
import { Form, Submit, TextField, useText } from '../parts/form-fields.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button, Section } from '../parts/section.tsx'
import { accessKey, checkAccessKey, setAccessKey } from './access-key.ts'

type Props = { readonly children: ComponentChildren }

/** Asks for the access key of this server, with what it is needed for, or shows that it is there. */
export function AccessKeyPanel({ children }: Props): JSX.Element {
  return (
    <Section id="key" title="Access key" class="panel">
      {accessKey.value === '' ? (
        <>
          <p>{children}</p>
          <KeyForm />
        </>
      ) : (
        <p class="buttons">
          <span>Your access key is remembered until this tab is closed.</span>
          <Button name="Forget it" onClick={() => setAccessKey('')} />
        </p>
      )}
    </Section>
  )
}

/** Asks for an access key, and stores it when the server knows it. */
function KeyForm(): JSX.Element {
  const key = useText()
  const { problem, run } = useRun()
  const submit = () =>
    run(() => checkAccessKey(key.text).then(() => announce('The access key is valid.')))
  return (
    <Form submit={submit}>
      <ProblemNotice problem={problem} />
      <TextField name="Access key" type="password" autocomplete="off" {...key} />
      <Submit name="Use this key" missing={key.text.trim() === '' && 'Enter the key.'} />
    </Form>
  )
}
