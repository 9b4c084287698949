import type { Heir } from '../../../src/client/responses.ts'
import { openDialog } from '../acts/pending-act.ts'
import { readNow } from '../api/get-json.ts'
import { useMore } from '../api/use-answer.ts'
import { useRead } from '../api/use-resource.ts'
import { Account } from '../parts/account.tsx'
import { ActForm, Submit, TextField, type TextFieldProps, useText } from '../parts/form-fields.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button, Fact, Section } from '../parts/section.tsx'
import { describeAccountProblem, useAddressField } from './address-field.tsx'
import { InheritForm } from './inherit-form.tsx'

/** Shows who takes over the memories of an account, and when, and what it inherits itself. */
export function HeirPanel({ account }: { readonly account: string }): JSX.Element {
  const { value, problem } = useRead('heir', { address: account })
  return (
    <Section id="heir" title="Heir" class="panel heir">
      <ProblemNotice problem={problem} />
      {value !== undefined && (value.heir === null ? <NoHeir /> : <Plan of={value} />)}
      {value !== undefined && <HeirForm isReplacing={value.heir !== null} />}
      {value !== undefined && <HeirOf first={value} of={account} />}
      <InheritForm own={account} />
    </Section>
  )
}

/** Lists the accounts that named this one, page by page: anybody can name anybody. */
function HeirOf({ first, of }: { first: Heir; of: string }): JSX.Element | undefined {
  const { pages, next, load } = useMore(first, (after) => readNow('heir', { address: of, after }))
  const named = pages.flatMap(({ heirOf = [] }) => heirOf)
  if (named.length === 0) return undefined
  return (
    <>
      <h3>You are the heir of</h3>
      <ul>
        {named.map((account) => (
          <li key={account}>
            <Account of={account} />
          </li>
        ))}
      </ul>
      {next && <Button name="Show more" onClick={load} />}
    </>
  )
}

const NoHeir = (): JSX.Element => (
  <p>
    If this wallet’s key is lost, its memories are lost with it. An heir takes them over once the
    wallet has given no sign of life for a long time.
  </p>
)

function Plan({ of }: { readonly of: Heir }): JSX.Element {
  const { heir, silenceDays, noticeDays, lastSignAt } = of
  return (
    <>
      <State of={of} />
      <dl class="facts">
        <Fact name="Heir" value={heir !== null && <Account of={heir} />} />
        <Fact name="Last sign of life" value={lastSignAt !== null && <Moment at={lastSignAt} />} />
        <Fact name="Silence" value={`${silenceDays} days`} />
        <Fact name="Notice" value={`${noticeDays} days`} />
      </dl>
      <p class="buttons">
        <Button name="I am here" class="main" onClick={openDialog({ kind: 'heartbeat' })} />
        <Button name="Have no heir" onClick={openDialog({ kind: 'clear-heir' })} />
      </p>
    </>
  )
}

/** Says when the heir may act, and what prevents it. */
function State({ of: { state, silentAt, takeoverAt } }: { readonly of: Heir }): JSX.Element {
  const takeover = takeoverAt === null ? undefined : <Moment at={takeoverAt} />
  if (state === 'announced' || state === 'due') {
    return (
      <p class="notice" role="status">
        Your heir {state === 'announced' && 'has announced a takeover and '}may take over{' '}
        {state === 'due' ? 'now' : takeover}. If you are here, say so: that ends it.
      </p>
    )
  }
  if (state === 'silent') {
    return (
      <p>
        You gave no sign of life for so long that your heir may announce a takeover now, and take
        over {takeover} at the earliest.
      </p>
    )
  }
  return (
    <p>
      Without a sign of life from you, your heir may announce a takeover{' '}
      {silentAt !== null && <Moment at={silentAt} />}, and take over {takeover} at the earliest.
      Making and transferring memories are signs of life; listing and buying are none.
    </p>
  )
}

const [leastDays, mostDays] = [30, 3650]

/** Shows the form with which an account names its heir. */
function HeirForm({ isReplacing }: { readonly isReplacing: boolean }): JSX.Element {
  const silence = useText('180')
  const notice = useText('60')
  const { to, field } = useAddressField({
    name: 'Account of the heir',
    usual: 'An account whose key is kept apart from yours.',
    explain: describeAccountProblem,
  })
  const [silenceDays, noticeDays] = [readDays(silence.text), readDays(notice.text)]
  const plan =
    to !== undefined && silenceDays !== undefined && noticeDays !== undefined
      ? ({ kind: 'name-heir', heir: to, silenceDays, noticeDays } as const)
      : undefined
  return (
    <ActForm summary={isReplacing ? 'Name another heir' : 'Name an heir'} submit={openDialog(plan)}>
      {field}
      <DaysField name="Days of silence before the heir may announce" {...silence} />
      <DaysField name="Days of notice before the heir may take over" {...notice} />
      <Submit name="Name an heir" missing={!plan && 'Name the account, and both times.'} />
    </ActForm>
  )
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
