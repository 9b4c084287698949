import type { JSX } from 'preact'
import type { ReadonlyStatic } from '../../../src/api/readonly-static.ts'
import type { WebhookList } from '../../../src/api/webhook-schemas.ts'
import { Account } from '../parts/account.tsx'
import { Amount } from '../parts/amount.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScrollArea } from '../parts/sample.tsx'
import type { Health, Operator } from './operator-record.ts'

type Props = { readonly operator: Operator }

const secondsOf = (milliseconds: string) => Math.floor(Number(milliseconds) / 1000)

/** Shows the version of the server and since when it runs. */
export function ServerPanel({ operator: { version, commit, startedAt } }: Props): JSX.Element {
  return (
    <dl class="facts">
      <div>
        <dt>Version</dt>
        <dd>
          {version}
          {commit !== null && `, commit ${commit}`}
        </dd>
      </div>
      <div>
        <dt>Started</dt>
        <dd>
          <Moment at={secondsOf(startedAt)} />
        </dd>
      </div>
    </dl>
  )
}

const amount = (of: string | null, none: string) => (of === null ? none : <Amount of={of} />)

/** Shows the tenants with their wallets and limits. */
export function TenantTable({ operator: { tenants } }: Props): JSX.Element {
  if (tenants.length === 0) return <p class="hint">This server has no tenants.</p>
  return (
    <ScrollArea class="scroll" name="Tenants table">
      <table class="history">
        <thead>
          <tr>
            <th scope="col">Tenant</th>
            <th scope="col">Wallet</th>
            <th scope="col">Balance</th>
            <th scope="col">Spent today</th>
            <th scope="col">Limit of a call</th>
            <th scope="col">Limit of a day</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** Shows the last warnings and errors of the log. */
export function FailureTable({ operator: { failures } }: Props): JSX.Element {
  if (failures.length === 0) {
    return <p class="hint">No warning and no error since the start.</p>
  }
  return (
    <ScrollArea class="scroll" name="Failures table">
      <table class="history">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Level</th>
            <th scope="col">What</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** The names of the parts of a server, as people say them. */
const partNames: Readonly<Record<string, string>> = {
  server: 'Server',
  chain: 'Chain',
  storage: 'Storage',
  store: 'Jobs',
  disk: 'Disk',
  catalogue: 'Catalogue',
  keys: 'Sealing keys',
  memories: 'Memories',
  keyService: 'Key service',
  wallet: 'Wallet',
}

/** Shows which parts of the server answer. */
export function HealthPanel({
  health: { components, nodes = [] },
}: {
  health: Health
}): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(components).map(([part, state]) => (
        <div key={part} class={state === 'ok' ? undefined : 'bad'}>
          <dt>{partNames[part] ?? part}</dt>
          <dd>{state === 'ok' ? 'OK' : <code>{state}</code>}</dd>
        </div>
      ))}
      {nodes.map(({ place, state, height, lag }) => (
        <div key={place} class={state === 'up' || state === 'unknown' ? undefined : 'bad'}>
          <dt>Node {place}</dt>
          <dd>
            {state}
            {height !== undefined && `, block ${height}`}
            {lag !== undefined && lag > 0 && `, ${lag} behind`}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export declare namespace WebhookTable {
  type List = ReadonlyStatic<typeof WebhookList>
}

/** Shows the webhooks, and which of them do not accept their events. */
export function WebhookTable({ list: { items } }: { list: WebhookTable.List }): JSX.Element {
  if (items.length === 0) return <p class="hint">This server has no webhooks.</p>
  return (
    <ScrollArea class="scroll" name="Webhooks table">
      <table class="history">
        <thead>
          <tr>
            <th scope="col">Receiver</th>
            <th scope="col">Last delivered</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
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
                    {failing.problem},{' '}
                    {failing.attempts === 1 ? 'once' : `${failing.attempts} times`}; next try{' '}
                    <Moment at={failing.nextAt} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
