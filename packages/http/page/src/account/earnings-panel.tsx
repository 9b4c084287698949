import type { Earning, Earnings } from '../../../src/client/responses.ts'
import { openDialog } from '../acts/pending-act.ts'
import { currencyOf, dollarCurrency } from '../api/deployment.ts'
import { useRead, useResource } from '../api/use-resource.ts'
import { Amount, Amounts } from '../parts/amount.tsx'
import { lazy } from '../parts/lazy.tsx'
import { now } from '../parts/moment.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Button, FactRow, Fold, Section } from '../parts/section.tsx'
import { isSameAccount } from '../text/account.ts'
import { type CurrencyKind, currencyKinds } from '../text/amount.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { earningKinds, earningNames, monthOf, readPayments, sumCurrencies } from './sum-earnings.ts'

const EarningsReport = lazy(async () => (await import('./earnings-report.tsx')).EarningsReport)

/** Shows what an account has earned in each currency, and what it can withdraw. */
export function EarningsPanel({ account }: { readonly account: string }): JSX.Element {
  const isOwn = isSameAccount(account, connectedWallet.value?.account)
  const title = isOwn ? 'Earnings and payments' : 'Earnings'
  const { value, problem } = useRead('earnings', { address: account })
  return (
    <Section id="earnings" title={title} class="panel earnings">
      <ProblemNotice problem={problem} />
      {value === undefined && problem === undefined && <p class="hint">Loading…</p>}
      {value !== undefined && <Sums of={value} isOwn={isOwn} />}
      {isOwn && <ThisMonth account={account} />}
      <Fold summary="By month and memory" class="act" key={account}>
        <EarningsReport account={account} isOwn={isOwn} />
      </Fold>
    </Section>
  )
}

/** Shows what the visitor paid and earned this month. */
function ThisMonth({ account }: { readonly account: string }): JSX.Element | undefined {
  const { value } = useResource(`month ${account}`, (signal) => readMonth(account, signal))
  if (value === undefined) return undefined
  const { isCut, paid, earned } = value
  return (
    <p>
      This month you paid {isCut && 'at least '}
      <Amounts of={paid} /> and earned <Amounts of={earned} />
      <small class="hint">, network fees left out.</small>
    </p>
  )
}

/** The most pages that are read of a month. */
const mostPages = 5

async function readMonth(account: string, signal: AbortSignal) {
  const month = monthOf({ timestamp: `${now.peek()}` })
  const goesOn = (last: Pick<Earning, 'timestamp'>) => monthOf(last) === month
  const { received, paid, isCut } = await readPayments(account, { most: mostPages, goesOn }, signal)
  const sums = (all: readonly Earning[]) => sumCurrencies(all.filter(goesOn))
  return { isCut, paid: sums(paid), earned: sums(received.items) }
}

type Sum = Earnings['dollars']

function Sums({ of, isOwn }: { readonly of: Earnings; readonly isOwn: boolean }): JSX.Element {
  const sums = { native: of, dollar: of.dollars }
  const earned = currencyKinds.filter((kind) => totalOf(sums[kind]) > 0n)
  const isWithoutCredit = currencyKinds.every((kind) => sums[kind].credit === '0')
  return (
    <>
      {earned.length === 0 && <p class="hint">Nothing earned yet.</p>}
      {earned.map((kind) => (
        <SumsIn key={kind} currency={kind} of={sums[kind]} />
      ))}
      {currencyKinds.map((kind) => (
        <Credit key={kind} currency={kind} amount={sums[kind].credit} isOwn={isOwn} />
      ))}
      {isOwn && isWithoutCredit && earned.length > 0 && (
        <p class="hint">Paid directly to your wallet. Nothing to withdraw.</p>
      )}
    </>
  )
}

const totalOf = (of: Sum): bigint => earningKinds.reduce((sum, kind) => sum + BigInt(of[kind]), 0n)

type SumsProps = { readonly currency: CurrencyKind; readonly of: Sum }

function SumsIn({ currency, of }: SumsProps): JSX.Element {
  // The currency has a heading where it is not the only one.
  const isNamed = currency === 'dollar' || dollarCurrency.value !== undefined
  return (
    <>
      {isNamed && <h3>In {currencyOf(currency).symbol}</h3>}
      <dl class="sums">
        {earningKinds.map((kind) => (
          <FactRow key={kind} name={earningNames[kind]}>
            <Amount of={of[kind]} currency={currency} />
          </FactRow>
        ))}
        <FactRow name="Total" class="total">
          <Amount of={totalOf(of)} currency={currency} />
        </FactRow>
      </dl>
    </>
  )
}

type CreditProps = {
  readonly currency: CurrencyKind
  readonly amount: string
  readonly isOwn: boolean
}

function Credit({ currency, amount, isOwn }: CreditProps): JSX.Element | undefined {
  if (amount === '0') return undefined
  return (
    <p class="buttons">
      <span>
        <Amount of={amount} currency={currency} /> could not be delivered.
        {isOwn && ' You can withdraw it.'}
      </span>
      {isOwn && (
        <Button
          name="Withdraw"
          class="main"
          onClick={openDialog({ kind: 'withdraw', currency, amount })}
        />
      )}
    </p>
  )
}
