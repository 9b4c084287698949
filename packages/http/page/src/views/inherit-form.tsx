import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Heir } from '../../../src/client/responses.ts'
import { openAct } from '../acts/pending-act.ts'
import { useRead } from '../api/use-resource.ts'
import { AddressField } from '../parts/address-field.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { isSameAccount } from '../text/account.ts'
import { Estate } from './estate.tsx'
import { useRecipient } from './use-recipient.ts'

/** Lets an heir look up the account that named it, announce and take over. */
export function InheritForm({ own }: { readonly own: string }): JSX.Element {
  const [text, setText] = useState('')
  const { to, problem, note } = useRecipient(text, { own, contracts: [] })
  const hint = problem?.startsWith('It is yours') ? 'This is your own account.' : problem
  return (
    <details class="act">
      <summary>Take over as an heir</summary>
      <AddressField
        name="Account that named you"
        text={text}
        setText={setText}
        hint={hint ?? note ?? 'Its owner told you this address.'}
        isWrong={problem !== undefined}
      />
      {to !== undefined && <Inheritance account={to} own={own} key={to} />}
    </details>
  )
}

type Props = { readonly account: `0x${string}`; readonly own: string }

function Inheritance({ account, own }: Props): JSX.Element | undefined {
  const { value, problem } = useRead('heir', { address: account })
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (value === undefined) return undefined
  if (value.heir === null || !isSameAccount(value.heir, own)) {
    return <p class="hint">This account has not named the connected wallet as its heir.</p>
  }
  return <Step account={account} of={value} />
}

type StepProps = { readonly account: `0x${string}`; readonly of: Heir }

/** Shows what the heir may do next, and when. */
function Step({ account, of: { state, silentAt, takeoverAt } }: StepProps): JSX.Element {
  const announce = () => {
    openAct.value = { kind: 'announce-takeover', account }
  }
  switch (state) {
    case 'due':
      return <Estate account={account} />
    case 'announced':
      return (
        <p>
          You have announced it. You may take over{' '}
          {takeoverAt !== null && <Moment at={takeoverAt} />}, unless the account gives a sign of
          life.
        </p>
      )
    case 'silent':
      return (
        <p class="buttons">
          <span>The account is silent.</span>
          <button type="button" class="main" onClick={announce}>
            Announce takeover
          </button>
        </p>
      )
    default:
      return (
        <p>
          You are its heir. The account is active: without another sign of life you may announce a
          takeover {silentAt !== null && <Moment at={silentAt} />}.
        </p>
      )
  }
}
