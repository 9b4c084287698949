import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Earnings } from '../../../src/client/responses.ts'
import { openDialog } from '../acts/pending-act.ts'
import { currencyOf, dollarCurrency } from '../api/deployment.ts'
import { useRead } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { lazy } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { Section } from '../parts/section.tsx'
import { isSameAccount } from '../text/account.ts'
import type { CurrencyKind } from '../text/amount.ts'
import { connectedWallet } from '../wallet/connected-wallet.ts'
import { earningKinds, earningNames } from './sum-earnings.ts'

const EarningsReport = lazy<{ readonly account: string }>(
  async () => (await import('./earnings-report.tsx')).EarningsReport,
)

/** Shows what an account has earned in each currency, and what it can withdraw. */
export function EarningsPanel({ account }: { readonly account: string }): JSX.Element {
  const isOwn = isSameAccount(account, connectedWallet.value?.account)
  const { value, problem } = useRead('earnings', { address: account })
  return (
    <Section id="earnings" title="Earnings" class="panel earnings">
      <ProblemNotice problem={problem} />
      {value === undefined && problem === undefined && <p class="hint">Loading…</p>}
      {value !== undefined && <Sums of={value} isOwn={isOwn} />}
      <ByMonth key={account} account={account} />
    </Section>
  )
}

/** Shows the earnings by month and memory once the visitor asks for it: they are read in many pages. */
function ByMonth({ account }: { readonly account: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="act" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>By month and memory</summary>
      {isOpen && <EarningsReport account={account} />}
    </details>
  )
}

type Sum = Earnings['dollars']

function Sums({ of, isOwn }: { readonly of: Earnings; readonly isOwn: boolean }): JSX.Element {
  const isWithoutCredit = of.credit === '0' && of.dollars.credit === '0'
  const [hasNative, hasDollars] = [totalOf(of) > 0n, totalOf(of.dollars) > 0n]
  return (
    <>
      {!hasNative && !hasDollars && <p class="hint">Nothing earned yet.</p>}
      {hasNative && (
        <SumsIn currency="native" of={of} isNamed={dollarCurrency.value !== undefined} />
      )}
      {hasDollars && <SumsIn currency="dollar" of={of.dollars} isNamed />}
      <Credit currency="native" amount={of.credit} isOwn={isOwn} />
      <Credit currency="dollar" amount={of.dollars.credit} isOwn={isOwn} />
      {isOwn && isWithoutCredit && (
        <p class="hint">Paid directly to your wallet. Nothing to withdraw.</p>
      )}
    </>
  )
}

const totalOf = (of: Sum): bigint => earningKinds.reduce((sum, kind) => sum + BigInt(of[kind]), 0n)

type SumsProps = {
  readonly currency: CurrencyKind
  readonly of: Sum
  /** Whether the currency has a heading, because it is not the only one. */
  readonly isNamed: boolean
}

function SumsIn({ currency, of, isNamed }: SumsProps): JSX.Element {
  const total = totalOf(of)
  return (
    <>
      {isNamed && <h3>In {currencyOf(currency).symbol}</h3>}
      <dl class="sums">
        {earningKinds.map((kind) => (
          <div key={kind}>
            <dt>{earningNames[kind]}</dt>
            <dd>
              <Amount of={of[kind]} currency={currency} />
            </dd>
          </div>
        ))}
        <div class="total">
          <dt>Total</dt>
          <dd>
            <Amount of={total} currency={currency} />
          </dd>
        </div>
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
        <button
          type="button"
          class="main"
          onClick={openDialog({ kind: 'withdraw', currency, amount })}
        >
          Withdraw
        </button>
      )}
    </p>
  )
}
