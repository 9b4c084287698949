import type { WebhookList } from '../../../src/api/schemas/operator-schemas.ts'
import type { ReadonlyStatic } from '../../../src/api/schemas/schema-parts.ts'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { FactRow } from '../parts/section.tsx'
import { Table } from '../parts/table.tsx'
import type { Health, Operator } from './operator-record.ts'

type Props = { readonly operator: Operator }

const secondsOf = (milliseconds: string) => Math.floor(Number(milliseconds) / 1000)

/** Shows the version of the server and since when it runs. */
export function ServerPanel({ operator: { version, commit, startedAt } }: Props): JSX.Element {
  return (
    <dl class="facts">
      <FactRow name="Version">
        {version}
        {commit !== null && `, commit ${commit}`}
      </FactRow>
      <FactRow name="Started">
        <Moment at={secondsOf(startedAt)} />
      </FactRow>
    </dl>
  )
}

const amount = (of: string | null, none: string) => (of === null ? none : <Amount of={of} />)

const tenantColumns = [
  ...['Tenant', 'Wallet', 'Balance', 'Spent today', 'Limit of a call', 'Limit of a day'],
] as const

/** Shows the tenants with their wallets and limits. */
export function TenantTable({ operator: { tenants } }: Props): JSX.Element {
  if (tenants.length === 0) return <p class="hint">This server has no tenants.</p>
  return (
    <Table name="Tenants table" class="history" columns={tenantColumns}>
      {tenants.map(({ name, address, isActive, ...sums }) => (
        <tr key={name}>
          <th scope="row">
            {name}
            {!isActive && ', being removed'}
          </th>
          <td>
            <Account of={address} />
          </td>
          <td>{amount(sums.balance, 'Not known')}</td>
          <td>{amount(sums.spentToday, 'Not known')}</td>
          <td>{amount(sums.maxSpendPerCall, 'None')}</td>
          <td>{amount(sums.maxSpendPerDay, 'None')}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Shows the last warnings and errors of the log. */
export function FailureTable({ operator: { failures } }: Props): JSX.Element {
  if (failures.length === 0) {
    return <p class="hint">No warning and no error since the start.</p>
  }
  return (
    <Table name="Failures table" class="history" columns={['Time', 'Level', 'What', 'Request']}>
      {failures.map(({ at, level, message, cause, requestId }, index) => (
        <tr key={`${at} ${index}`}>
          <td>
            <Moment at={secondsOf(at)} />
          </td>
          <td>{level}</td>
          <td class="what">
            {message}
            {cause !== undefined && `: ${cause}`}
          </td>
          <td>{requestId ?? '—'}</td>
        </tr>
      ))}
    </Table>
  )
}

/** The names of parts of a server, where people call them otherwise than its record does. */
const partNames: Readonly<Record<string, string>> = {
  store: 'Jobs',
  keys: 'Sealing keys',
  keyService: 'Key service',
}

/** Shows which parts of the server answer. */
export function HealthPanel({ health }: { readonly health: Health }): JSX.Element {
  const { components, nodes = [] } = health
  return (
    <dl class="facts">
      {Object.entries(components).map(([part, state]) => (
        <FactRow key={part} name={partNames[part] ?? part} class={state === 'ok' ? 'good' : 'bad'}>
          {state === 'ok' ? 'OK' : <code>{state}</code>}
        </FactRow>
      ))}
      {nodes.map(({ place, state, height, lag }) => (
        <FactRow
          key={place}
          name={`Node ${place}`}
          class={state === 'up' || state === 'unknown' ? undefined : 'bad'}
        >
          {state}
          {height !== undefined && `, block ${height}`}
          {lag !== undefined && lag > 0 && `, ${lag} behind`}
        </FactRow>
      ))}
    </dl>
  )
}

export type WebhookTableList = ReadonlyStatic<typeof WebhookList>

const describeAttempts = (attempts: number) => (attempts === 1 ? 'once' : `${attempts} times`)

/** Shows the webhooks, and which of them do not accept their events. */
export function WebhookTable({ list: { items } }: { list: WebhookTableList }): JSX.Element {
  if (items.length === 0) return <p class="hint">This server has no webhooks.</p>
  return (
    <Table name="Webhooks table" class="history" columns={['Receiver', 'Last delivered', 'State']}>
      {items.map(({ id, url, delivered, failing }) => (
        <tr key={id}>
          <th scope="row" class="what">
            {url}
          </th>
          <td>{delivered ?? 'Nothing yet'}</td>
          <td class="what">
            {failing === null ? (
              'Accepts'
            ) : (
              <>
                {`${failing.problem}, ${describeAttempts(failing.attempts)}; next try `}
                <Moment at={failing.nextAt} />
              </>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}
