import type { LaneEvent } from '@heirloom/adapters/ledger'
import type { Wei } from '@heirloom/core'
import type { Gauge } from 'prom-client'
import type { Meters } from './meters.ts'

/** The meters of writes, of the chain and of the wallet. */
export type LedgerMeters = {
  /** Counts an event of the lane of a tenant, or of the server itself. */
  observe(event: LaneEvent, tenant?: string): void
  /** Sets the age of the newest block. */
  setHeadAge(): void
  /** Sets the gauges of the wallet of a tenant, or of the server itself; removes them without a state. */
  setWallet(
    wallet: { readonly balance: Wei; readonly spentToday: Wei } | undefined,
    tenant?: string,
  ): void
  /** Sets whether another program writes with the wallet of a tenant, or of the server itself. */
  setShared(isShared: boolean, tenant?: string): void
}

/** Returns what sets the meters of writes, of the chain and of the wallet. */
export function ledgerMeters(meters: Meters, now: () => number): LedgerMeters {
  setFirstValues(meters)
  let headAt: bigint | undefined
  return {
    observe: (event, tenant) => {
      if (event.kind === 'head') headAt = event.timestamp
      count(meters, event, labelsOf(tenant))
    },
    setHeadAge: () => {
      if (headAt !== undefined) meters.heirloom_head_age_seconds.set(now() / 1000 - Number(headAt))
    },
    setShared: (isShared, tenant) =>
      meters.heirloom_wallet_shared.set(labelsOf(tenant), isShared ? 1 : 0),
    setWallet: (state, tenant) => {
      setOrRemove(meters.heirloom_wallet_balance_wei, state?.balance, labelsOf(tenant))
      setOrRemove(meters.heirloom_wallet_spent_today_wei, state?.spentToday, labelsOf(tenant))
    },
  }
}

type Labels = { readonly tenant?: string }

/** Returns the labels of a wallet: the server's own has none, as where there are no tenants. */
const labelsOf = (tenant: string | undefined): Labels => (tenant === undefined ? {} : { tenant })

function count(meters: Meters, event: LaneEvent, labels: Labels): void {
  switch (event.kind) {
    case 'signed':
      meters.heirloom_batch_size.observe(event.jobs.length)
      meters.heirloom_job_signed_seconds.observe(event.waited / 1000)
      break
    case 'settled':
      meters.heirloom_jobs_total.inc({ end: 'settled', ...labels }, event.jobs.length)
      meters.heirloom_job_settled_seconds.observe(event.waited / 1000)
      break
    case 'refused':
      meters.heirloom_jobs_total.inc({ end: 'refused', ...labels }, event.jobs.length)
      break
    case 'reorganised':
      meters.heirloom_reorganisations_total.inc()
      break
    case 'leads':
      meters.heirloom_lane_leads.set(labels, event.leads ? 1 : 0)
      // What is open is the leader's from then on.
      if (!event.leads) meters.heirloom_lane_open.set(labels, 0)
      break
    case 'slots':
      meters.heirloom_lane_open.set(labels, event.open)
      break
    case 'head':
      meters.heirloom_head_number.set(Number(event.number))
      break
    case 'trouble':
      meters.heirloom_rpc_errors_total.inc()
      break
    default:
      meters.heirloom_transactions_total.inc({ event: event.kind, ...labels })
  }
}

/** Sets the first values: a meter with labels has no value of its own at first. */
function setFirstValues(meters: Meters): void {
  for (const end of ['settled', 'refused']) meters.heirloom_jobs_total.inc({ end }, 0)
  for (const event of ['resent', 'replaced', 'cancelled', 'unreplaced', 'lost'])
    meters.heirloom_transactions_total.inc({ event }, 0)
  meters.heirloom_lane_open.set(0)
  meters.heirloom_lane_leads.set(0)
  meters.heirloom_wallet_shared.set(0)
  meters.heirloom_head_number.remove()
  meters.heirloom_head_age_seconds.remove()
}

function setOrRemove(gauge: Gauge<'tenant'>, amount: bigint | undefined, labels: Labels): void {
  if (amount === undefined) gauge.remove(labels)
  else gauge.set(labels, Number(amount))
}
