import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { openAct } from '../acts/pending-act.ts'
import { deployment } from '../api/deployment.ts'
import { ActForm, Submit, TextField, type TextFieldProps } from '../parts/form-fields.tsx'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { AddressField, useRecipient } from './address-field.tsx'

const [leastDays, mostDays] = [30, 3650]

/** Shows the form with which an account names its heir. */
export function HeirForm({ isReplacing }: { readonly isReplacing: boolean }): JSX.Element {
  const [text, setText] = useState('')
  const [silence, setSilence] = useState('180')
  const [notice, setNotice] = useState('60')
  const { registry, marketplace, forwarder } = deployment.value ?? {}
  const { to, problem, note } = useRecipient(text, {
    own: connectedWallet.value?.account,
    contracts: [registry, marketplace, forwarder],
  })
  const [silenceDays, noticeDays] = [readDays(silence), readDays(notice)]
  const plan =
    to !== undefined && silenceDays !== undefined && noticeDays !== undefined
      ? { heir: to, silenceDays, noticeDays }
      : undefined
  const submit = () => {
    if (plan !== undefined) openAct.value = { kind: 'name-heir', ...plan }
  }
  const usual = note ?? 'An account whose key is kept apart from yours.'
  const hint = problem === undefined ? usual : heirProblem(problem)
  return (
    <ActForm summary={isReplacing ? 'Name another heir' : 'Name an heir'} submit={submit}>
      <AddressField
        name="Account of the heir"
        text={text}
        setText={setText}
        hint={hint}
        isWrong={problem !== undefined}
      />
      <DaysField
        name="Days of silence before the heir may announce"
        text={silence}
        setText={setSilence}
      />
      <DaysField
        name="Days of notice before the heir may take over"
        text={notice}
        setText={setNotice}
      />
      <Submit name="Name an heir" isDisabled={plan === undefined} />
    </ActForm>
  )
}

// The sentences of a recipient are about a token that is sent.
function heirProblem(problem: string): string {
  if (problem.startsWith('It is yours')) return 'This is your own account.'
  return problem.startsWith('This is a contract')
    ? 'This is a contract of this market, which cannot be an heir.'
    : problem
}

function readDays(text: string): number | undefined {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return days >= leastDays && days <= mostDays ? days : undefined
}

type DaysProps = Pick<TextFieldProps, 'name' | 'text' | 'setText'>

function DaysField(field: DaysProps): JSX.Element {
  const isWrong = readDays(field.text) === undefined
  return <TextField {...field} type="number" min={leastDays} max={mostDays} isWrong={isWrong} />
}
