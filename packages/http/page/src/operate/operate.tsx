import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Wallet } from '../../../src/client/responses.ts'
import { addressOf } from '../api/get-json.ts'
import type { Problem } from '../api/problem.ts'
import { type Resource, useInterval, useResource } from '../api/use-resource.ts'
import { accessKey } from '../create/access-key.ts'
import { AccessKeyPanel } from '../create/access-key-panel.tsx'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Loading } from '../parts/lazy.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { FactRow, Fold, Section, Welcome } from '../parts/section.tsx'
import {
  FailureTable,
  HealthPanel,
  ServerPanel,
  TenantTable,
  WebhookTable,
  type WebhookTableList,
} from './operator-panels.tsx'
import {
  fetchAsOperator,
  type Operator,
  operatorFigures,
  readHealth,
  readMetrics,
} from './operator-record.ts'

/** The time between two reads, in milliseconds. */
const interval = 10_000

/** Shows the state of the server to its operator. */
export function Operate(): JSX.Element {
  return (
    <>
      <Welcome title="Operate">
        Status, spending and problems of this server, read again every 10 seconds.
      </Welcome>
      <div class="mine operate">
        <Panels key={accessKey.value} />
      </div>
    </>
  )
}

/** The failures of a request without the key of an operator. */
const closedCodes: readonly unknown[] = ['request/not-authorized', 'api-key/out-of-scope']

function Panels(): JSX.Element {
  const health = useRepeated('health', readHealth)
  const operator = useJson<Operator>(addressOf('operator', {}))
  const { problem } = operator
  const isClosed = problem !== undefined && closedCodes.includes(problem.code)
  return (
    <>
      {(isClosed || accessKey.value !== '') && (
        <AccessKeyPanel>Enter an API key of the operator, with the scope admin.</AccessKeyPanel>
      )}
      <Panel title="Health" of={health} show={(value) => <HealthPanel health={value} />} />
      {isClosed ? <ClosedNotice problem={problem} /> : <OperatorPanels operator={operator} />}
    </>
  )
}

/** Says once that the rest is for the operator. */
function ClosedNotice({ problem }: { readonly problem: Problem }): JSX.Element {
  if (accessKey.value !== '') return <ProblemNotice problem={problem} />
  return (
    <p class="hint">
      The wallet, figures, tenants, webhooks and last failures need a key of the operator: enter it
      above.
    </p>
  )
}

function OperatorPanels({ operator }: { readonly operator: Resource<Operator> }): JSX.Element {
  const wallet = useJson<Wallet>(addressOf('wallet', {}))
  const metrics = useRepeated('/metrics', async (signal) =>
    operatorFigures(readMetrics(await (await fetchAsOperator('/metrics', signal)).text())),
  )
  const webhooks = useJson<WebhookTableList>(addressOf('webhooks', {}))
  return (
    <>
      <Panel title="Server" of={operator} show={(value) => <ServerPanel operator={value} />} />
      <Panel title="Wallet" of={wallet} show={(value) => <WalletFacts wallet={value} />} />
      <Panel title="Figures" of={metrics} show={(figures) => <Figures of={figures} />} />
      <Panel title="Tenants" of={operator} show={(value) => <TenantTable operator={value} />} />
      <Panel title="Webhooks" of={webhooks} show={(value) => <WebhookTable list={value} />} />
      <Panel
        title="Last failures"
        of={operator}
        show={(value) => <FailureTable operator={value} />}
      />
    </>
  )
}

type Readings = ReturnType<typeof operatorFigures>

/** The readings whose course is drawn: those of the last ten minutes, while this view is open. */
const mostReadings = 60

/** Shows what is above zero, with its course, and folds the rest. */
function Figures({ of }: { readonly of: Readings }): JSX.Element {
  const past = useRef<readonly Readings[]>([])
  if (past.current.at(-1) !== of) past.current = [...past.current, of].slice(-mostReadings)
  const courseOf = (what: string) =>
    past.current.map((all) => all.find((it) => it.what === what)?.value ?? 0)
  const [above, zero] = [of.filter((it) => it.value > 0), of.filter((it) => it.value === 0)]
  return (
    <>
      <dl class="facts">
        {above.map(({ what, value, remedy }) => (
          <FactRow key={what} name={what} class={remedy && 'bad'}>
            {value.toLocaleString('en')} <Course of={courseOf(what)} /> {remedy}{' '}
            {remedy && <a href="/docs/guides/keys">Keys, backup and restore</a>}
          </FactRow>
        ))}
      </dl>
      <Fold summary={`${zero.length} figures are 0`}>
        <p class="hint">{zero.map(({ what }) => what).join('; ')}.</p>
      </Fold>
    </>
  )
}

/** Draws the course of a figure where it changed; its last value stands beside it. */
function Course({ of }: { readonly of: readonly number[] }): JSX.Element | undefined {
  const [least, most] = [Math.min(...of), Math.max(...of)]
  if (least === most) return undefined
  const points = of.map((it, at) => `${at / (of.length - 1)},${(most - it) / (most - least)}`)
  return (
    <svg class="course" viewBox="0 -0.1 1 1.2" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  )
}

/** Reads a resource, and again at an interval. */
function useRepeated<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const resource = useResource(key, load)
  useInterval(resource.reload, interval)
  return resource
}

const useJson = <T,>(path: string): Resource<T> =>
  useRepeated(path, async (signal) => (await (await fetchAsOperator(path, signal)).json()) as T)

type PanelProps<T> = {
  readonly title: string
  readonly of: Resource<T>
  readonly show: (value: T) => ComponentChildren
}

function Panel<T>({ title, of: { value, problem }, show }: PanelProps<T>): JSX.Element {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <Section id={id} title={title}>
      <ProblemNotice problem={problem} />
      {value === undefined && problem === undefined && <Loading />}
      {value !== undefined && show(value)}
    </Section>
  )
}

function WalletFacts({ wallet }: { readonly wallet: Wallet }): JSX.Element {
  const { address, balance, spentToday, maxSpendPerCall, maxSpendPerDay } = wallet
  return (
    <dl class="facts">
      <FactRow name="Address">
        <Account of={address} />
      </FactRow>
      <Sum name="Balance" of={balance} />
      <Sum name="Spent today (UTC)" of={spentToday} />
      <Sum name="Limit of one call" of={maxSpendPerCall} />
      <Sum name="Limit of one day" of={maxSpendPerDay} />
    </dl>
  )
}

const Sum = ({ name, of }: { readonly name: string; readonly of: string | null }) => (
  <FactRow name={name}>{of === null ? 'None' : <Amount of={of} />}</FactRow>
)
