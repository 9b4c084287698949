import { useState } from 'preact/hooks'
import type { Heir, Token } from '../../../src/client/responses.ts'
import { openDialog } from '../acts/pending-act.ts'
import { useRead } from '../api/use-resource.ts'
import { Amounts } from '../parts/amount.tsx'
import { Check, Form, Submit } from '../parts/form-fields.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button } from '../parts/section.tsx'
import { UserText } from '../parts/user-text.tsx'
import { isSameAccount } from '../text/account.ts'
import { describeAccountProblem, useAddressField } from './address-field.tsx'

/** Lets an heir look up the account that named it, announce and take over. */
export function InheritForm({ own }: { readonly own: string }): JSX.Element {
  const { to, field } = useAddressField({
    name: 'Account that named you',
    usual: 'Its owner told you this address.',
    explain: describeAccountProblem,
  })
  return (
    <details class="act">
      <summary>Take over as an heir</summary>
      {field}
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
  if (state === 'due') return <Estate account={account} />
  if (state === 'announced') {
    return (
      <p>
        You have announced it. You may take over {takeoverAt !== null && <Moment at={takeoverAt} />}
        , unless the account gives a sign of life.
      </p>
    )
  }
  if (state === 'silent') {
    return (
      <p class="buttons">
        <span>The account is silent.</span>
        <Button
          name="Announce takeover"
          class="main"
          onClick={openDialog({ kind: 'announce-takeover', account })}
        />
      </p>
    )
  }
  return (
    <p>
      You are its heir. The account is active: without another sign of life you may announce a
      takeover {silentAt !== null && <Moment at={silentAt} />}.
    </p>
  )
}

const limit = 100

type EstateProps = { readonly account: `0x${string}` }

/** Shows what an account leaves to its heir, who chooses the memories to take over. */
function Estate({ account }: EstateProps): JSX.Element {
  const { value, problem } = useRead('tokens', { owner: account, limit })
  return (
    <>
      <p>You may take over now.</p>
      <ProblemNotice problem={problem} />
      {value?.items.length === 0 && <p class="hint">It owns no memory.</p>}
      {value !== undefined && value.items.length > 0 && (
        <Choice account={account} tokens={value.items} />
      )}
      {value != null && value.next !== null && (
        <p class="hint">Only the newest {limit} are shown; take them over to see the others.</p>
      )}
      <Credit account={account} />
    </>
  )
}

type ChoiceProps = EstateProps & { readonly tokens: readonly Token[] }

function Choice({ account, tokens }: ChoiceProps): JSX.Element {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const tokenIds = tokens.map(({ tokenId }) => tokenId).filter((id) => !left.has(id))
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
  const hasAny = tokenIds.length > 0
  return (
    <Form submit={openDialog(hasAny ? { kind: 'take-over', account, tokenIds } : undefined)}>
      <fieldset class="choices">
        <legend>Memories</legend>
        {tokens.map(({ tokenId, card }) => (
          <Check key={tokenId} isChecked={!left.has(tokenId)} setChecked={() => toggle(tokenId)}>
            No. {tokenId}
            {card !== null && [', ', <UserText key="title" of={card.title} />]}
          </Check>
        ))}
      </fieldset>
      <Submit
        name={`Take over ${tokenIds.length === 1 ? '1 memory' : `${tokenIds.length} memories`}`}
        class="main"
        missing={!hasAny && 'Choose a memory.'}
      />
    </Form>
  )
}

function Credit({ account }: EstateProps): JSX.Element | undefined {
  const { value } = useRead('earnings', { address: account })
  if (value === undefined) return undefined
  const { credit, dollars } = value
  if (credit === '0' && dollars.credit === '0') return undefined
  return (
    <p class="buttons">
      <span>
        <Amounts of={{ native: credit, dollar: dollars.credit }} /> could not be delivered to it.
      </span>
      <Button
        name="Take over the credit"
        onClick={openDialog({ kind: 'take-over-credit', account })}
      />
    </p>
  )
}
